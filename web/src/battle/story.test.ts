import { describe, expect, test } from 'vitest';
import type { RollRecord } from '../protocol/RollRecord';
import type { StoryLine } from '../protocol/StoryLine';
import { degrees, length, percent, toMicrometres } from './measure';
import { step } from './offers';
import { cameOf, fraction, goOn, luck, luckOf, met } from './story';

const line = (moment: number, text = '', rolls: RollRecord[] = []): StoryLine => ({
  moment,
  turn: 1,
  phase: '',
  side: 'A',
  text,
  overridden: false,
  parts: rolls.map((roll) => ({ text: '', about: null, clauses: [], roll })),
});
const roll = (side: 'A' | 'B', value: number): RollRecord => ({
  what: 'test', of: null, side, base: null, modifiers: [], throw: '2D6', wanted: { at_most: 7 }, chance: '7/12', luck: value, faces: [3, 5], total: 8,
});

describe('the story', () => {
  test('goes on with what is new', () => {
    expect(goOn([line(1), line(2)], 3, [line(3)]).map(({ moment }) => moment)).toEqual([1, 2, 3]);
  });

  test('drops what was taken back', () => {
    expect(goOn([line(1), line(2), line(3)], 2, []).map(({ moment }) => moment)).toEqual([1, 2]);
  });

  test('has nothing twice when the same news comes again', () => {
    const story = goOn([line(1), line(2, 'old')], 2, [line(1), line(2, 'new')]);
    expect(story.map(({ text }) => text)).toEqual(['', 'new']);
  });

  test('adds up luck side by side', () => {
    const points = luck([line(1), line(2, '', [roll('A', 0.4), roll('B', -0.5)]), line(3, '', [roll('A', -0.1)])]);
    expect(points.map(({ moment }) => moment)).toEqual([2, 3]);
    expect(luckOf(points, 'A')).toBeCloseTo(0.3);
    expect(luckOf(points, 'B')).toBeCloseTo(-0.5);
    expect(luckOf([], 'A')).toBe(0);
  });

  test('knows whether a roll got what was wanted', () => {
    expect(met(roll('A', 0))).toBe(false);
    expect(met({ ...roll('A', 0), wanted: { at_least: 8 } })).toBe(true);
    expect(met({ ...roll('A', 0), wanted: 'high' })).toBeNull();
  });

  test('tells what came of the dice: what follows the last of them', () => {
    const part = (text: string, about: string | null = null) => ({ text, about, clauses: [], roll: null });
    const rolled = line(1, 'Roll', [roll('A', 0)]).parts;
    const sides = ['French', 'Prussians'];
    expect(cameOf({ ...line(1, 'Roll'), parts: [part('Before'), ...rolled, part('Roll'), part('The French have it.'), part('Then this'), part('And that')] }, sides)).toEqual(['The French have it.', 'Then this']);
    expect(cameOf({ ...line(1, 'Roll'), parts: [...rolled, part('A phase begins'), part('The 43rd runs.', '#1')] }, sides)).toEqual(['The 43rd runs.']);
    expect(cameOf(line(1, 'Roll', [roll('A', 0)]), sides)).toEqual([]);
    // That a phase begins came of no dice, and neither did what happens in it.
    const phase = [part('French: Threat tests'), part('The 43rd is seen.', '#1')];
    expect(cameOf({ ...line(1, 'Roll'), parts: [...rolled, part('Skirmisher superiority: French'), ...phase] }, sides)).toEqual(['Skirmisher superiority: French']);
    expect(cameOf({ ...line(1, 'Roll'), parts: [...rolled, ...phase] }, sides)).toEqual([]);
    expect(cameOf({ ...line(1, 'Roll'), parts: [...rolled, part('French: the guns are supplied for 3 bombardments')] }, sides)).toHaveLength(1);
  });

  test('reads fractions', () => {
    expect(fraction('7/12')).toBeCloseTo(0.5833);
    expect(fraction('1')).toBe(1);
    expect(fraction('x')).toBeNull();
  });
});

describe('measures', () => {
  test('are in the book’s unit', () => {
    expect(length(120_000, 'cm')).toBe('12 cm');
    expect(length(25_400 * 6.5, 'in')).toBe('6.5 in');
    expect(toMicrometres(1.5, 'in')).toBe(38_100);
    expect(degrees(-4_550)).toBe('-45.5°');
  });

  test('never make a chance look certain that is not', () => {
    expect(percent(0.5833)).toBe('58 %');
    expect(percent(0.0004)).toBe('<0.1 %');
    expect(percent(0.9972)).toBe('99.7 %');
    expect(percent(1)).toBe('100 %');
  });
});

test('those that may act lead round in a circle', () => {
  const acting = [{ token: '#0' }, { token: '#1' }];
  expect(step(acting, null, 1)).toBe('#0');
  expect(step(acting, '#1', 1)).toBe('#0');
  expect(step(acting, '#0', -1)).toBe('#1');
  expect(step([], '#0', 1)).toBeNull();
});
