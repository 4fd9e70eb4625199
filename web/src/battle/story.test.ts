import { describe, expect, test } from 'vitest';
import type { RollRecord } from '../protocol/RollRecord';
import type { StoryLine } from '../protocol/StoryLine';
import { degrees, length, percent, toMicrometres } from './measure';
import { sortOffers, step } from './offers';
import { fraction, goOn, luck, luckOf, met } from './story';
import type { Decision } from '../protocol/Decision';
import type { OfferView } from '../protocol/OfferView';

const line = (moment: number, text = '', rolls: RollRecord[] = []): StoryLine => ({
  moment,
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

const offer = (key: string, unit: string | null): OfferView => ({ key, label: key, unit, command: null, input: { kind: 'none' }, clauses: [] });

describe('offers', () => {
  const decision: Decision = {
    moment: 1, side: 'A', sentence: '', interrupt: false, kind: null,
    offers: [offer('a', '#0'), offer('b', '#0'), offer('c', '#1'), offer('end', null)],
    closed: [{ key: 'x', label: 'x', unit: '#1', why: { clause: 'PK-SEQ-02', sentence: 'it has acted' } }],
  };

  test('are those of the unit chosen, and those of nobody', () => {
    const sorted = sortOffers(decision, '#0');
    expect(sorted.own.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(sorted.general.map(({ key }) => key)).toEqual(['end']);
    expect(sorted.acting).toEqual([{ token: '#0', count: 2 }, { token: '#1', count: 1 }]);
    expect(sorted.closed).toEqual([]);
    expect(sortOffers(decision, '#1').closed).toHaveLength(1);
  });

  test('of an interrupt are all there at once', () => {
    expect(sortOffers({ ...decision, interrupt: true }, null).general).toHaveLength(4);
  });

  test('lead round in a circle', () => {
    const { acting } = sortOffers(decision, null);
    expect(step(acting, null, 1)).toBe('#0');
    expect(step(acting, '#1', 1)).toBe('#0');
    expect(step(acting, '#0', -1)).toBe('#1');
    expect(step([], '#0', 1)).toBeNull();
  });
});
