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

/** The clauses that have every one of these words somewhere, whatever their case. */
export function search(clauses: ClauseReply[], words: string): ClauseReply[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return clauses;
  return clauses.filter((clause) => {
    const all = [clause.id, clause.title, clause.text, clause.ruling ?? '', clause.example].join('\n').toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
