import { describe, expect, test } from 'vitest';
import type { BookTurn } from '../protocol/BookTurn';
import { forgotten, marked, onward, stepsOf, ticked, type KeptBattle } from './kept';

const task = (text: string) => ({ text, tests: [], clauses: [] });
const turn = (by_side: boolean): BookTurn => ({
  by_side,
  orders: [],
  marks: [{ key: 'kills', word: 'kills', most: 12, only: null }],
  before: { name: 'Setting up', whose: 'both', tasks: [] },
  phases: [
    { name: 'Skirmish', whose: 'both', tasks: [task('roll')] },
    { name: 'Threat', whose: 'each', tasks: [task('test')] },
    { name: 'Rally', whose: 'each', tasks: [task('rally')] },
  ],
});
const battle: KeptBattle = { ruleset: 'x', title: '', sides: ['Red', 'Blue'], units: [{ key: 'a', name: '1st', side: 0, command: '', marks: { kills: 1 } }], turn: 0, step: 0, done: [], lines: [] };

describe('a battle kept roughly', () => {
  test('one side goes through all its phases, or both finish a phase, as the book has it', () => {
    const names = (by_side: boolean) => stepsOf(turn(by_side)).map(({ phase, side }) => `${phase.name} ${side ?? '-'}`);
    expect(names(true)).toEqual(['Skirmish -', 'Threat 0', 'Rally 0', 'Threat 1', 'Rally 1']);
    expect(names(false)).toEqual(['Skirmish -', 'Threat 0', 'Threat 1', 'Rally 0', 'Rally 1']);
  });
  test('what was not ticked is remembered until the turn is over', () => {
    const book = turn(true);
    let now = onward(battle, book);
    expect([now.turn, now.step]).toEqual([1, 0]);
    now = onward(ticked(now, 0), book);
    now = onward(now, book);
    expect(forgotten(now, book)).toEqual(['Threat (Red): test']);
    for (let n = 0; n < 3; n += 1) now = onward(now, book);
    expect([now.turn, now.step, forgotten(now, book).length]).toEqual([2, 0, 0]);
  });
  test('marks are told once a phase, from what they were to what they are', () => {
    const book = turn(true);
    let now = marked(onward(battle, book), book, 'a', 'kills', 2);
    now = marked(now, book, 'a', 'kills', 3);
    expect(now.lines).toEqual([{ turn: 1, phase: 'Skirmish', text: '1st: kills 1 → 3' }]);
    expect(marked(now, book, 'a', 'kills', 1).lines).toEqual([]);
    expect(marked(now, book, 'a', 'kills', 99).units[0]?.marks.kills).toBe(12);
  });
});
