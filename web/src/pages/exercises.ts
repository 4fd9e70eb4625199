/** Laying out exercises, and which comes after which. */

import { api } from '../net/api';
import { hold, type Held } from '../net/seats';
import { tried } from '../net/tried';
import type { ExerciseEntry } from '../protocol/ExerciseEntry';

/** So many are for a first evening. */
export const FIRST = 10;

/** The exercises of a book for a first evening: those for beginners, a theme after the other as they come. */
export function first(entries: ExerciseEntry[], ruleset: string): ExerciseEntry[] {
  const own = entries.filter((one) => one.ruleset === ruleset && one.beginner);
  const themes = [...new Set(own.map(({ theme }) => theme))];
  const rounds = themes.map((theme) => own.filter((one) => one.theme === theme));
  const dealt: ExerciseEntry[] = [];
  for (let n = 0; dealt.length < own.length; n++) dealt.push(...rounds.flatMap((round) => round[n] ?? []));
  return dealt.slice(0, FIRST);
}

/** The order in which the exercises of a book are done. */
export function inOrder(entries: ExerciseEntry[], ruleset: string): ExerciseEntry[] {
  const early = first(entries, ruleset);
  return [...early, ...entries.filter((one) => one.ruleset === ruleset && !early.includes(one))];
}

/** The next one of the same book that is not done yet; nothing where all are. */
export async function nextAfter(name: string): Promise<string | null> {
  const entries = await api.exercises();
  const own = inOrder(entries, entries.find((one) => one.name === name)?.ruleset ?? '');
  const at = own.findIndex((one) => one.name === name);
  const done = tried();
  const later = [...own.slice(at + 1), ...own.slice(0, Math.max(at, 0))];
  return later.find((one) => done[one.name] !== true)?.name ?? null;
}

/** Lays an exercise on the table and sits down at the side that has to choose. */
export async function layExercise(name: string): Promise<Held> {
  const made = await api.exercise(name);
  const { secrets, id } = made.battle;
  const { title, ruleset, theme } = made.entry;
  const held: Held = { id, using: [made.side === 'A' ? secrets.a : secrets.b], all: secrets, exercise: { name, title, ruleset, theme, side: made.side } };
  hold(held);
  return held;
}
