import { describe, expect, test } from 'vitest';
import { alongTrack, firstValue, ready, sorted } from '../battle/value';
import { apart, clockwise, distance, inside, middleOf, overlap, softened, toSheet, toTable, turned, turning, walk } from './geometry';

const square = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 10, y: 10 },
  { x: 0, y: 10 },
];

describe('geometry', () => {
  test('plates do not lie on one another: one is moved above the other, and no further than it must', () => {
    const plate = (x: number, y: number) => ({ at: { x, y }, width: 20, height: 10 });
    const laid = apart([plate(0, 0), plate(12, 3), plate(6, -5), plate(60, 0)]);
    expect(laid.map(({ at }) => at).toSorted((a, b) => b.y - a.y)).toEqual([{ x: 12, y: 3 }, { x: 60, y: 0 }, { x: 0, y: -7 }, { x: 6, y: -17 }]);
    expect(apart([plate(0, 0), plate(20, 0), plate(0, 10)])).toHaveLength(3);
    expect(apart([plate(0.1, 0.3), plate(0.1, 0.3), plate(0.1, 0.3)]).map(({ at }) => Math.round(at.y))).toEqual([0, -10, -20]);
  });

  test('a place on the table is the same after a way to the sheet and back', () => {
    const place = { x: 123_456, y: 654_321 };
    expect(toTable(toSheet(place, 1_200_000), 1_200_000)).toEqual(place);
    expect(toSheet({ x: 0, y: 1_200_000 }, 1_200_000)).toEqual({ x: 0, y: 0 });
  });

  test('a hole is outside', () => {
    const hole = square.map(({ x, y }) => ({ x: 3 + x * 0.4, y: 3 + y * 0.4 }));
    expect(inside([square], { x: 5, y: 5 })).toBe(true);
    expect(inside([square, hole], { x: 5, y: 5 })).toBe(false);
    expect(inside([square, hole], { x: 1, y: 1 })).toBe(true);
  });

  test('rings can be made to run clockwise', () => {
    expect(turning(square)).toBeGreaterThan(0);
    expect(turning(clockwise([...square].reverse()))).toBeGreaterThan(0);
  });

  test('a walk takes even steps round corners, with its left to the left', () => {
    const steps = walk([{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }], 4);
    expect(steps.map(({ along }) => along)).toEqual([2, 6, 10, 14, 18]);
    // Going east on the sheet, the left is up.
    expect(steps[0]).toMatchObject({ x: 2, y: 0, ny: -1 });
  });

  test('a softened ring stays close to the one it was made from', () => {
    for (const p of softened(square, 3)) {
      const off = Math.min(...[p.x, p.y, 10 - p.x, 10 - p.y].map(Math.abs));
      expect(off).toBeLessThan(1.6);
    }
  });

  test('the middle of a bent area lies in it', () => {
    const bent = [[0, 0], [30, 0], [30, 4], [4, 4], [4, 30], [0, 30]].map(([x = 0, y = 0]) => ({ x, y }));
    expect(inside([bent], middleOf(bent))).toBe(true);
  });

  test('boxes that only touch do not overlap', () => {
    const box = { x: 0, y: 0, width: 2, height: 2 };
    expect(overlap(box, { ...box, x: 2 })).toBe(false);
    expect(overlap(box, { ...box, x: 1.9 })).toBe(true);
  });

  test('a quarter turn is clockwise on the sheet', () => {
    const p = turned({ x: 1, y: 0 }, 90);
    expect(distance(p, { x: 0, y: 1 })).toBeLessThan(1e-9);
  });
});

describe('values', () => {
  test('a distance starts at its furthest and stays within its limits', () => {
    const input = { kind: 'distance', least: 10, most: 90, stops: [] } as const;
    expect(firstValue({ ...input, stops: [] })).toEqual({ distance: 90 });
    expect(ready({ ...input, stops: [] }, { distance: 91 })).toBe(false);
    expect(ready({ ...input, stops: [] }, { distance: 10 })).toBe(true);
    expect(ready({ ...input, stops: [] }, 'none')).toBe(false);
  });

  test('a point must be in an area and in none that is shut', () => {
    const input = {
      kind: 'point' as const,
      within: [{ shape: 'polygon' as const, corners: square }],
      except: [{ shape: 'circle' as const, centre: { x: 5, y: 5 }, radius: 2 }],
    };
    expect(ready(input, null)).toBe(false);
    expect(ready(input, { point: { x: 1, y: 1 } })).toBe(true);
    expect(ready(input, { point: { x: 5, y: 4 } })).toBe(false);
    expect(ready(input, { point: { x: 15, y: 4 } })).toBe(false);
  });

  test('units are named in rising order', () => {
    expect(sorted(['#10', '#2', '#1'])).toEqual(['#1', '#2', '#10']);
    expect(firstValue({ kind: 'units', of: ['#10', '#2', '#3'], least: 2, most: 3 })).toEqual({ units: ['#2', '#3'] });
  });

  test('a place is projected on a track with corners', () => {
    const track = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }];
    expect(alongTrack(track, { x: 4, y: 3 })).toBe(4);
    expect(alongTrack(track, { x: 13, y: 6 })).toBe(16);
    expect(alongTrack(track, { x: 40, y: 40 })).toBe(20);
  });
});
