import { expect, test } from 'vitest';
import type { StoryLine } from '../protocol/StoryLine';
import type { View } from '../protocol/View';
import { keepAsked, lastChosen, trailsOf } from './trails';

function shelf(): Storage {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as unknown as Storage;
}

const line = (moment: number, side: 'A' | 'B' | null, standing = false): StoryLine => ({ moment, turn: 1, phase: '', side, text: '', standing, overridden: false, parts: [] });

const unit = (id: string, side: 'A' | 'B', x: number | null) => ({ id, side, pose: x === null ? null : { at: { x, y: 0 }, heading: 0 }, stands: [] });
const view = (...units: ReturnType<typeof unit>[]) => ({ units }) as unknown as View;

test('whoever of the other side stands elsewhere has left a trail, and nobody else', () => {
  const before = view(unit('#0', 'A', 0), unit('#1', 'B', 0), unit('#2', 'B', 0), unit('#3', 'B', null), unit('#4', 'B', 0));
  const now = view(unit('#0', 'A', 50_000), unit('#1', 'B', 50_000), unit('#2', 'B', 7_999), unit('#3', 'B', 50_000), unit('#4', 'B', null));
  expect(trailsOf(before, now, 'A')).toMatchObject([{ unit: '#1', from: { x: 0, y: 0 }, to: { x: 50_000, y: 0 } }]);
  expect(trailsOf(before, now, 'B').map(({ unit }) => unit)).toEqual(['#0']);
});

test('when one last chose freely is remembered over a reload, and what was taken back is forgotten', () => {
  const storage = shelf();
  for (const moment of [4, 9]) keepAsked('b', moment, storage);
  // The page is opened anew at the same moment, and once more.
  expect(lastChosen('b', 9, [], 'A', storage)).toBe(4);
  keepAsked('b', 9, storage);
  expect(lastChosen('b', 9, [], 'A', storage)).toBe(4);
  // A question in the enemy's turn comes later, and is no free choice.
  expect(lastChosen('b', 12, [], 'A', storage)).toBe(9);
  // Back to before: what came after it is not gone by.
  expect(lastChosen('b', 6, [], 'A', storage)).toBeNull();
  keepAsked('b', 6, storage);
  expect(lastChosen('b', 6, [], 'A', storage)).toBeNull();
});

test('a browser that remembers nothing goes by the story: by the last choice of one’s own side', () => {
  const story = [line(1, null), line(2, 'A'), line(3, 'B'), line(4, 'A', true), line(5, 'B')];
  expect(lastChosen('b', 5, story, 'A', shelf())).toBe(1);
  expect(lastChosen('b', 5, story, 'B', shelf())).toBe(4);
  expect(lastChosen('b', 5, [line(1, null)], 'A', shelf())).toBeNull();
});
