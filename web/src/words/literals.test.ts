/** No text in code: what the page says stands in `strings.ts` and its translations, and nowhere else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { french } from './french';
import { german } from './german';
import { t } from '../strings';

const FOLDER = new URL('..', import.meta.url).pathname;
/** Attributes that a reader sees or hears. */
const SPOKEN = new Set(['title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'label']);

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
  [key: string]: unknown;
}

const hasWords = (text: string) => /\p{L}{2,}/u.test(text.replace(/&\w+;/g, ''));

/** Every literal text of a component that somebody reads. */
function literals(node: unknown, within: string[] = []): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => literals(one, within));
  if (typeof node !== 'object' || node === null || !('type' in node)) return [];
  const { type, name = '', data = '', value } = node as Node;
  if (type === 'Text') return hasWords(data) ? [`${within.join(' > ')}: ${data.trim()}`] : [];
  if (type === 'Attribute') {
    if (!SPOKEN.has(name)) return [];
    const parts = (Array.isArray(value) ? value : [value]) as Node[];
    const plain = parts.filter((part) => part?.type === 'Text' && hasWords(part.data ?? ''));
    return plain.map((part) => `${within.join(' > ')} ${name}: ${part.data ?? ''}`);
  }
  if (['Comment', 'StyleDirective'].includes(type) || name === 'style' || name === 'script') return [];
  return Object.entries(node).flatMap(([key, one]) => (key === 'metadata' || key === 'parent' ? [] : literals(one, name ? [...within, name] : within)));
}

const components = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));

test('the literals of a component are found', () => {
  const found = literals(parse('<p title="A word" class="soft">One <b>{two}</b></p>{#if x}<i>Three</i>{/if}', { modern: true }).fragment);
  expect(found).toEqual(['p title: A word', 'p: One', 'i: Three']);
});

test.each(components)('%s says nothing of its own', (file) => {
  expect(literals(parse(readFileSync(join(FOLDER, file), 'utf8'), { modern: true }).fragment)).toEqual([]);
});

/** Every string with the path to it. */
function said(words: unknown, path = ''): [string, string][] {
  if (typeof words === 'string') return [[path, words]];
  if (typeof words === 'object' && words !== null) return Object.entries(words).flatMap(([key, one]) => said(one, `${path}.${key}`));
  return [];
}

/** Words that are the same in two languages. */
const SAME = 60;

test.each([['German', german], ['French', french]])('%s is a language of its own', (_, words) => {
  const theirs = new Map(said(words));
  // A sentence of several words that reads as the English one was not translated.
  const sentences = said(t).filter(([, text]) => text.trim().split(/\s+/).filter(hasWords).length >= 3);
  expect(sentences.filter(([path, text]) => theirs.get(path) === text)).toEqual([]);
  expect(said(t).filter(([path, text]) => hasWords(text) && theirs.get(path) === text).length).toBeLessThan(SAME);
});
