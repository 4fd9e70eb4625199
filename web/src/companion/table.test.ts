import { describe, expect, test } from 'vitest';
import type { BookTurn } from '../protocol/BookTurn';
import type { TableLine } from '../protocol/TableLine';
import { folded, luckOf, seatAt } from './table';

const book: BookTurn = {
  by_side: false,
  orders: [],
  marks: [{ key: 'kills', word: 'kills', most: 12, only: null }],
  before: { name: 'Setting up', whose: 'both', tasks: [] },
  phases: [{ name: 'Fight', whose: 'both', tasks: [{ text: 'roll', tests: [], clauses: [] }] }],
};
const battle = { ruleset: 'x', title: 'T', sides: ['Red', 'Blue'], units: [{ key: 'a', name: '1st', side: 0, command: '', marks: { kills: 0 } }], turn: 0, step: 0, done: [], lines: [] };
const lines = [
  { n: 0, by: 'umpire', what: 'began', battle, players: [] },
  { n: 1, by: 'umpire', what: 'went', turn: 1, step: 0 },
  { n: 2, by: 'A', what: 'marked', unit: 'a', mark: 'kills', to: 2 },
  { n: 3, by: 'A', what: 'ticked', task: '0.0' },
  { n: 4, by: 'B', what: 'disputed', text: 'Is he in my flank?' },
  { n: 5, by: 'umpire', what: 'ruled', text: 'He is.' },
  { n: 6, by: 'A', what: 'told', text: 'Threat: passes', chance: 0.25 },
  { n: 7, by: 'A', what: 'sent', to: 'B', text: 'Yield', arrives: 2 },
  { n: 8, by: 'A', what: 'hidden', unit: 'a', hidden: true },
] as unknown as TableLine[];

describe('a table kept together', () => {
  test('every telephone comes to the same battle by the same lines', () => {
    const now = folded(lines, book);
    expect(now?.units[0]?.marks.kills).toBe(2);
    expect(now?.done).toEqual(['0.0']);
    expect(now?.lines.map(({ text }) => text)).toEqual(['1st: kills 0 → 2', 'B ? Is he in my flank?', '! He is.', 'Threat: passes']);
    expect([now?.letters?.length, now?.hidden]).toEqual([1, ['a']]);
    const luck = now && luckOf(now);
    expect([luck?.tests, luck?.mean, luck?.rare[0]?.text]).toEqual([1, 0.25, 'Threat: passes']);
  });
  test('a new turn forgets what was ticked', () => {
    expect(folded([...lines, { n: 9, by: 'umpire', what: 'went', turn: 2, step: 0 } as TableLine], book)?.done).toEqual([]);
  });
  test('a link seats a telephone, and it stays seated', () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as unknown as Storage;
    expect(seatAt('huzzah', '', storage)).toBeNull();
    expect(seatAt('huzzah', '#table=ab12.cd34', storage)).toEqual({ id: 'ab12', secret: 'cd34' });
    expect(seatAt('huzzah', '', storage)).toEqual({ id: 'ab12', secret: 'cd34' });
  });
});
