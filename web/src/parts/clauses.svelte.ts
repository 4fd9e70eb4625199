/** The clauses of each ruleset, fetched once. */

import { SvelteMap } from 'svelte/reactivity';
import { api } from '../net/api';
import type { ClauseReply } from '../protocol/ClauseReply';

const books = new SvelteMap<string, ClauseReply[]>();
const asked = new Set<string>();

/** Fetches a book, once. */
export async function openBook(ruleset: string): Promise<void> {
  if (asked.has(ruleset)) return;
  asked.add(ruleset);
  try {
    books.set(ruleset, await api.clauses(ruleset));
  } catch {
    asked.delete(ruleset);
  }
}

export const clausesOf = (ruleset: string): ClauseReply[] => books.get(ruleset) ?? [];

export const clauseTitle = (ruleset: string, id: string): string => clausesOf(ruleset).find((clause) => clause.id === id)?.title ?? '';

/** The clauses that have every one of these words somewhere, whatever their case; those that are about them first. */
export function search(clauses: ClauseReply[], words: string): ClauseReply[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return clauses;
  const ranked = clauses.flatMap((clause) => {
    const [id, title, text, rest] = [clause.id, clause.title, clause.text, `${clause.ruling ?? ''}\n${clause.example}`].map((part) => part.toLowerCase());
    const worth = (word: string) => {
      if (id === word) return 100;
      const whole = new RegExp(`\\b${word.replace(/[^\p{L}\p{N}]/gu, '.')}`, 'u');
      return (title?.includes(word) ? (whole.test(title) ? 12 : 8) : 0) + (id?.includes(word) ? 6 : 0) + (text?.includes(word) ? 3 : 0) + (rest?.includes(word) ? 1 : 0);
    };
    const worths = wanted.map(worth);
    // Words that stand together, as they were asked for, are what was meant.
    const phrase = wanted.length > 1 ? wanted.join(' ') : null;
    const together = phrase === null ? 0 : title?.includes(phrase) ? 14 : text?.includes(phrase) ? 3 : 0;
    return worths.every((one) => one > 0) ? [{ clause, worth: worths.reduce((a, b) => a + b, together) }] : [];
  });
  return ranked.sort((a, b) => b.worth - a.worth).map(({ clause }) => clause);
}

export interface Chapter {
  /** What its clauses begin with: `HZ-THR`. */
  id: string;
  name: string;
  clauses: ClauseReply[];
}

/** The book by chapters, in the order of its clauses. A chapter is called what most of its clauses name as their place in the book. */
export function chapters(clauses: ClauseReply[]): Chapter[] {
  const found = new Map<string, ClauseReply[]>();
  for (const clause of clauses) {
    const id = clause.id.replace(/-\d+$/, '');
    found.set(id, [...(found.get(id) ?? []), clause]);
  }
  const most = (names: string[], otherwise: string) => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? otherwise;
  };
  const named = [...found].map(([id, list]) => {
    // A place in the book: chapter › section; further places after a semicolon.
    const places = list.map(({ source }) => (source.split(/[;(]/)[0] ?? '').split('›').map((part) => part.trim()));
    const name = most(places.flatMap(([chapter]) => chapter || []), id);
    const section = most(places.flatMap(([chapter, part]) => (chapter === name && part ? [part] : [])), '');
    return { id, name, section, clauses: list };
  });
  // Where several have the same chapter of the book, the section tells them apart.
  return named.map(({ section, ...chapter }) => {
    const shared = named.filter(({ name }) => name === chapter.name).length > 1;
    return { ...chapter, name: shared && section ? `${chapter.name}: ${section}` : chapter.name };
  });
}

/** The clause that lies open, and where it was asked for. */
export const opened = $state<{ clause: { ruleset: string; id: string; x: number; y: number } | null }>({ clause: null });

export function lookUp(ruleset: string, id: string, from: Element) {
  const box = from.getBoundingClientRect();
  opened.clause = { ruleset, id, x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

export function shutClause() {
  opened.clause = null;
}
