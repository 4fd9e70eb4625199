/** What is changed in a scenario before it is fought: its options, and the numbers of its book. */

import type { ChangeEntry } from '../protocol/ChangeEntry';

/** What was typed, by name. What is as it was, or empty, is not changed. */
export function changed(entries: ChangeEntry[], typed: Record<string, string>): string[] {
  return entries.flatMap(({ name, value }) => {
    const now = typed[name]?.trim();
    return now === undefined || now === '' || now === value ? [] : [`${name}=${now}`];
  });
}

/** The entries whose name or note has all of the words; few enough to be looked through. */
export function found(entries: ChangeEntry[], words: string, typed: Record<string, string>, most = 40): ChangeEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ name, note }: ChangeEntry) => wanted.every((word) => `${name} ${note}`.toLowerCase().includes(word));
  const touched = entries.filter(({ name, value }) => typed[name] !== undefined && typed[name] !== value);
  const matching = wanted.length > 0 ? entries.filter((entry) => has(entry) && !touched.includes(entry)) : [];
  return [...touched, ...matching.slice(0, most)];
}
