import { describe, expect, test } from 'vitest';
import type { Handle } from '../protocol/Handle';
import type { Input } from '../protocol/Input';
import type { OfferView } from '../protocol/OfferView';
import { bestReach, drawnTo, pivotOf, wheeledTo } from './handle';
import { nearestIn } from './value';

const offer = (key: string, handle: Handle, input: Input): OfferView => ({ key, label: key, unit: '#0', command: null, input, handle, act: key, target: null, leads_to: null, group: 'act', clauses: [] });
const distance = (least: number, most: number): Input => ({ kind: 'distance', least, most, stops: [] });
const HERE = { x: 1_000, y: 1_000 };
/** Forward is north; the track is of the front, which lies ahead of where the unit is held. */
const advance = offer('advance', { by: 'along', unit: '#0', track: [{ x: 1_000, y: 1_100 }, { x: 1_000, y: 1_600 }], back: false }, distance(100, 500));
const aside = offer('aside', { by: 'slide', unit: '#0', bearing: 9_000 }, distance(0, 200));

describe('a unit that is drawn', () => {
  test('goes along its track as far as the hand has gone, and no further than it may', () => {
    expect(drawnTo(advance, HERE, { x: 1_000, y: 1_300 })).toMatchObject({ value: { distance: 300 }, off: 0 });
    expect(drawnTo(advance, HERE, { x: 1_000, y: 1_500 })).toMatchObject({ value: { distance: 500 }, off: 0 });
    expect(drawnTo(advance, HERE, { x: 1_000, y: 1_501 })).toMatchObject({ value: { distance: 500 }, off: 1 });
    expect(drawnTo(advance, HERE, { x: 1_000, y: 1_050 })).toMatchObject({ value: { distance: 100 }, off: 50 });
  });

  test('does what comes nearest to what is wished for', () => {
    expect(bestReach([advance, aside], HERE, { x: 1_010, y: 1_400 })?.offer.key).toBe('advance');
    expect(bestReach([advance, aside], HERE, { x: 1_150, y: 1_010 })).toMatchObject({ offer: { key: 'aside' }, value: { distance: 150 } });
    expect(bestReach([], HERE, HERE)).toBeNull();
  });
});

describe('a wheel', () => {
  const wheel = offer('wheel', { by: 'wheel', unit: '#0', pivots: { left: { x: 0, y: 0 }, right: { x: 200, y: 0 } } }, { kind: 'wheel', most_left: -4_500, most_right: 3_000 });

  test('goes round the pivot of its hand, to the left with a minus', () => {
    // The right corner, from due east of the pivot to north-east of it: an eighth of a circle to the left.
    expect(wheeledTo(wheel, 'left', { x: 200, y: 0 }, { x: 100, y: 100 })).toEqual({ wheel: -4_500 });
    expect(wheeledTo(wheel, 'left', { x: 200, y: 0 }, { x: 200, y: 35 })).toEqual({ wheel: -993 });
    // Drawn the wrong way it does not go at all; drawn too far, as far as it may.
    expect(wheeledTo(wheel, 'left', { x: 200, y: 0 }, { x: 100, y: -100 })).toEqual({ wheel: 0 });
    expect(wheeledTo(wheel, 'right', { x: 0, y: 0 }, { x: 200, y: 200 })).toEqual({ wheel: 3_000 });
  });

  test('has a knob only where it can go', () => {
    expect(pivotOf(wheel, 'left')).toEqual({ x: 0, y: 0 });
    expect(pivotOf({ ...wheel, input: { kind: 'wheel', most_left: 0, most_right: 3_000 } }, 'left')).toBeNull();
    expect(pivotOf(advance, 'left')).toBeNull();
  });
});

test('whoever is drawn out of the green stays at its edge', () => {
  const input: Extract<Input, { kind: 'point' }> = { kind: 'point', within: [{ shape: 'circle', centre: { x: 0, y: 0 }, radius: 1_000 }], except: [] };
  expect(nearestIn(input, { x: 300, y: 400 })).toEqual({ x: 300, y: 400 });
  expect(nearestIn(input, { x: 3_000, y: 4_000 })).toEqual({ x: 599, y: 798 });
  const box: Extract<Input, { kind: 'point' }> = { kind: 'point', within: [{ shape: 'polygon', corners: [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }, { x: 0, y: 10 }] }], except: [{ shape: 'circle', centre: { x: 10, y: 5 }, radius: 1 }] };
  expect(nearestIn(box, { x: 20, y: 8 })).toEqual({ x: 10, y: 8 });
  expect(nearestIn(box, { x: 20, y: 5 })).toBeNull();
});
