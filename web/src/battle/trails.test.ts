import { expect, test } from 'vitest';
import type { View } from '../protocol/View';
import { trailsOf } from './trails';

const unit = (id: string, side: 'A' | 'B', x: number | null) => ({ id, side, pose: x === null ? null : { at: { x, y: 0 }, heading: 0 }, stands: [] });
const view = (...units: ReturnType<typeof unit>[]) => ({ units }) as unknown as View;

test('whoever of the other side stands elsewhere has left a trail, and nobody else', () => {
  const before = view(unit('#0', 'A', 0), unit('#1', 'B', 0), unit('#2', 'B', 0), unit('#3', 'B', null), unit('#4', 'B', 0));
  const now = view(unit('#0', 'A', 50_000), unit('#1', 'B', 50_000), unit('#2', 'B', 7_999), unit('#3', 'B', 50_000), unit('#4', 'B', null));
  expect(trailsOf(before, now, 'A')).toMatchObject([{ unit: '#1', from: { x: 0, y: 0 }, to: { x: 50_000, y: 0 } }]);
  expect(trailsOf(before, now, 'B').map(({ unit }) => unit)).toEqual(['#0']);
});
