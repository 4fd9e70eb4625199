import { describe, expect, test } from 'vitest';
import { fixture } from '../../scripts/fixture.mjs';
import type { StoryLine } from '../protocol/StoryLine';
import type { StoryPart } from '../protocol/StoryPart';
import type { View } from '../protocol/View';
import { motionOf, setOut, shotsIn, wayOf } from './motion';

const { view } = fixture(13) as unknown as { view: View };

describe('motion', () => {
  const here = { x: 100, y: 100, heading: 0 };

  test('there is none where nothing moved', () => {
    expect(motionOf(here, here)).toBeNull();
  });

  test('forwards and to the side a unit marches, the further the longer, from 200 to 600 ms', () => {
    const near = motionOf(here, { ...here, y: 90 });
    const far = motionOf(here, { ...here, y: -400 });
    expect([near?.kind, far?.kind, motionOf(here, { ...here, x: 140 })?.kind]).toEqual(['march', 'march', 'march']);
    expect(near?.duration).toBeGreaterThanOrEqual(200);
    expect(near?.duration).toBeLessThan(far?.duration ?? 0);
    expect(far?.duration).toBe(600);
  });

  test('backwards with its face to the enemy it recoils, with its back to him it routs', () => {
    expect(motionOf(here, { ...here, y: 140 })?.kind).toBe('recoil');
    expect(motionOf(here, { x: 100, y: 140, heading: 180 })?.kind).toBe('rout');
    // Facing south, south is forwards.
    expect(motionOf({ ...here, heading: 180 }, { x: 100, y: 140, heading: 180 })?.kind).toBe('march');
  });

  test('begins where the unit stood and ends where it stands, turning the short way', () => {
    const motion = motionOf({ ...here, heading: 350 }, { x: 100, y: 90, heading: 10 });
    expect(motion?.frames[0]).toEqual({ transform: 'rotate(-20.00deg)' });
    expect(motion?.frames.at(-1)).toEqual({ transform: 'rotate(0deg)' });
  });
});

describe('a wheel', () => {
  test('goes round the corner that stands', () => {
    // A line 80 mm wide wheels to the right about its right corner, by a right angle: that corner is at 140, 100.
    const motion = motionOf({ x: 100, y: 100, heading: 0 }, { x: 140, y: 60, heading: 90 });
    expect(motion?.about.x).toBeCloseTo(140, 6);
    expect(motion?.about.y).toBeCloseTo(100, 6);
    expect(motion?.frames[0]).toEqual({ transform: 'rotate(-90.00deg)' });
  });

  test('to the left goes round the left one, and a turn on the spot round the middle', () => {
    const left = motionOf({ x: 100, y: 100, heading: 10 }, { x: 100, y: 100, heading: 350 });
    expect(left?.about.x).toBeCloseTo(100, 6);
    expect(left?.frames[0]).toEqual({ transform: 'rotate(20.00deg)' });
    // About the left corner, at 60, 100: the middle comes to 60, 100 - 40 turned by a right angle.
    const about = motionOf({ x: 100, y: 100, heading: 0 }, { x: 60, y: 60, heading: 270 })?.about;
    expect(about?.x).toBeCloseTo(60, 6);
    expect(about?.y).toBeCloseTo(100, 6);
  });

  test('is no wheel when it has faced about', () => {
    expect(motionOf({ x: 100, y: 100, heading: 0 }, { x: 100, y: 100, heading: 180 })?.about).toEqual({ x: 100, y: 100, heading: 180 });
  });
});

describe('a way that bends', () => {
  const way = [{ x: 0, y: 100 }, { x: 0, y: 40 }, { x: 60, y: 40 }];

  test('is marched along, corner by corner', () => {
    const motion = motionOf({ x: 0, y: 100, heading: 0 }, { x: 60, y: 40, heading: 90 }, way);
    expect(motion?.kind).toBe('march');
    expect(motion?.frames).toEqual([
      { transform: 'translate(-60.00px, 60.00px) rotate(-90.00deg)', offset: 0 },
      { transform: 'translate(-60.00px, 0.00px) rotate(0.00deg)', offset: 0.5 },
      { transform: 'translate(0.00px, 0.00px) rotate(0.00deg)', offset: 1 },
    ]);
  });

  test('is gone once, by the one it was planned for, from where it begins to where it ends', () => {
    setOut('#1', way);
    expect(wayOf('#2', { x: 0, y: 100 }, { x: 60, y: 40 })).toEqual([]);
    expect(wayOf('#1', { x: 0, y: 100 }, { x: 60, y: 40 })).toEqual(way);
    expect(wayOf('#1', { x: 0, y: 100 }, { x: 60, y: 40 })).toEqual([]);
    // It was stopped on the way: then it is drawn straight to where it stands.
    setOut('#1', way);
    expect(wayOf('#1', { x: 0, y: 100 }, { x: 0, y: 60 })).toEqual([]);
  });
});

describe('shots', () => {
  const [unit] = view.units;
  const part = (told: Partial<StoryPart>): StoryPart => ({ text: '', about: null, clauses: [], roll: null, ...told });
  const line = (...parts: StoryPart[]): StoryLine => ({ moment: 7, turn: 1, phase: '', side: 'A', text: '', overridden: false, parts });
  const id = unit?.id ?? '';

  test('are those of whom it is told or thrown that they shot, each once', () => {
    const told = part({ about: id, text: `${unit?.name} bombards the enemy` });
    const thrown = part({ about: id, text: 'Shooting: 7', roll: { what: 'shooting', of: id } as StoryPart['roll'] });
    expect(shotsIn(line(told, thrown), view.units).map((shot) => shot.unit)).toEqual([id]);
  });

  test('are not those of a unit that is tested for being shot at, nor of one off the table', () => {
    const tested = part({ about: id, text: 'Threat test: down 1 under fire', roll: { what: 'threat test', of: id } as StoryPart['roll'] });
    expect(shotsIn(line(tested), view.units)).toEqual([]);
    const gone = view.units.map((one) => ({ ...one, stands: [], pose: null }));
    expect(shotsIn(line(part({ about: id, text: 'fires' })), gone)).toEqual([]);
  });

  test('come from the foremost stands', () => {
    if (!unit?.pose) throw new Error('no unit');
    const stand = (y: number) => [{ x: 0, y }, { x: 40_000, y }, { x: 40_000, y: y - 15_000 }, { x: 0, y: y - 15_000 }];
    const column = { ...unit, pose: { at: { x: 0, y: 0 }, heading: 0 }, stands: [stand(0), stand(-15_000), stand(-30_000)] };
    expect(shotsIn(line(part({ about: id, text: 'fires' })), [column])[0]?.fronts).toEqual([[{ x: 0, y: 0 }, { x: 40_000, y: 0 }]]);
  });
});
