import { expect, test } from 'vitest';
import { french } from './french';
import { german } from './german';
import { languageFor } from './language';
import { t } from '../strings';

test('what was chosen goes before what the browser asks for, and English is for everybody else', () => {
  expect(languageFor('fr', ['de-AT', 'en'])).toBe('fr');
  expect(languageFor(null, ['it', 'de-AT', 'fr'])).toBe('de');
  expect(languageFor('xx', ['it'])).toBe('en');
  expect(languageFor(null, ['constructor'])).toBe('en');
});

/** Every string of a language with the path to it; functions are called with values that can be seen again. */
function said(words: unknown, path = ''): [string, string][] {
  if (typeof words === 'string') return [[path, words]];
  if (typeof words === 'function') return [[path, String((words as (...given: string[]) => unknown)('3', '7'))]];
  if (typeof words === 'object' && words !== null) return Object.entries(words).flatMap(([key, one]) => said(one, `${path}.${key}`));
  return [];
}

test.each([['German', german], ['French', french]])('%s says everything that English says, with the same values in it', (_, words) => {
  const theirs = new Map(said(words));
  for (const [path, text] of said(t)) {
    expect(theirs.get(path), path).toBeTruthy();
    for (const value of ['3', '7']) expect(theirs.get(path)?.includes(value), `${path}: ${theirs.get(path) ?? ''}`).toBe(text.includes(value));
  }
});

test('one reader is addressed in one way: formally, in German and in French', () => {
  const familiar = { German: /(^|[^\p{L}])(du|dich|dir|dein(e|en|em|er|es)?|zieh|sag|schreib)($|[^\p{L}])/iu, French: /(^|[^\p{L}])(tu|toi|ton|tes|ta)($|[^\p{L}])/iu };
  for (const [path, text] of said(german)) expect(text, path).not.toMatch(familiar.German);
  for (const [path, text] of said(french)) expect(text, path).not.toMatch(familiar.French);
});
