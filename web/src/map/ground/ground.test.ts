import { describe, expect, test } from 'vitest';
import { fixture } from '../../../scripts/fixture.mjs';
import type { GroundStyle } from '../../protocol/GroundStyle';
import type { GroundView } from '../../protocol/GroundView';
import type { Setting } from '../../protocol/Setting';
import type { View } from '../../protocol/View';
import { boundsOf, inside, lengthOf, overlap, toSheet, type Box, type Pt } from '../geometry';
import { covering } from '../names';
import { Hand } from '../random';
import { drawGround } from './draw';
import { heightOf, toEdge } from './height';
import { life } from './life';
import { pieceOf } from './mark';
import { groundNames, placeNames } from './names';
import { buildings, garrisoned } from './village';
import { courses, crossingsOf } from './water';

const { view } = fixture(13) as unknown as { view: View };
const TABLE = { width: 1_200_000, depth: 800_000 };
const square = (x: number, y: number, w: number, h: number): Pt[] => [{ x, y }, { x: x + w, y }, { x: x + w, y: y + h }, { x, y: y + h }];

const piece = (id: string, drawn: GroundStyle, shape: Partial<GroundView>): GroundView => ({ id, kind: drawn, drawn, name: null, rings: [], line: [], width: null, level: 0, note: null, ...shape });
const river = (id: string, line: number[][], width: number) => pieceOf(piece(id, 'river', { line: line.map(([x = 0, y = 0]) => ({ x: x * 1000, y: y * 1000 })), width: width * 1000 }), TABLE);
const setting = (ground: GroundView[]): Setting => ({ ...view.setting, ...TABLE, title: 'A test', place: null, ground });
/** The places that a path names. */
const points = (d: string): Pt[] => [...d.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

describe('rivers', () => {
  test('in pieces are one river, whose width grows downstream without a step', () => {
    const all = courses([river('~1', [[0, 400], [400, 380]], 20), river('~2', [[400, 380], [800, 420]], 8), river('~3', [[1200, 400], [800, 420]], 12)]);
    expect([...all.keys()]).toEqual(['~1']);
    const [course] = all.values();
    if (!course) throw new Error('no river');
    expect(lengthOf(course.points)).toBeGreaterThan(1200);
    const widths = Array.from({ length: 21 }, (_, i) => course.wide(i / 20));
    // The western end is the wider: the river runs to the west.
    widths.slice(1).forEach((width, i) => expect(width).toBeLessThan(widths[i] ?? 0));
    expect(widths[0]).toBe(20);
  });

  test('come from an edge and go to one: they are drawn beyond it', () => {
    const [course] = courses([river('~1', [[0, 400], [600, 300], [1200, 380]], 10)]).values();
    const xs = course?.points.map(({ x }) => x) ?? [];
    expect(Math.min(...xs)).toBeLessThan(-40);
    expect(Math.max(...xs)).toBeGreaterThan(1240);
    expect(course?.wide(0)).toBeLessThan(course?.wide(1) ?? 0);
  });

  test('that begin on the table rise from a spring', () => {
    const [course] = courses([river('~1', [[500, 400], [1200, 380]], 10)]).values();
    expect(course?.cut).toEqual([true, false]);
    expect(course?.wide(0)).toBeLessThan((course?.wide(1) ?? 0) / 2);
    expect(course?.wide(1)).toBeGreaterThanOrEqual(10);
  });

  test('run into a lake, not out of it', () => {
    const lake = square(0, 0, 38, 800);
    const [course] = courses([river('~1', [[38, 400], [1200, 380]], 10)], [lake]).values();
    expect(course?.wide(0)).toBeGreaterThan(course?.wide(1) ?? 99);
  });

  test('have a bridge where a road goes over, and stones where there is a ford', () => {
    const line = (points: number[][]) => points.map(([x = 0, y = 0]) => ({ x: x * 1000, y: y * 1000 }));
    const water = piece('~1', 'river', { line: line([[0, 400], [1200, 400]]), width: 14_000 });
    const road = piece('~2', 'road', { line: line([[600, 0], [600, 800]]), width: 12_000 });
    const ford = piece('~3', 'bridge', { name: 'Ford', rings: [line([[560, 360], [640, 360], [640, 440], [560, 440]])] });
    const looks = (ground: GroundView[]) => drawGround(setting(ground)).flatMap(({ marks }) => marks.map(({ look }) => look));
    expect(looks([water, road])).toContain('bridge-deck');
    expect(looks([water, road, ford])).toContain('ford');
    expect(looks([water, road, ford])).not.toContain('bridge-deck');
    expect(looks([water])).not.toContain('bridge-deck');
  });

  test('are crossed once by a road across them, with as much water as they are wide', () => {
    const [course] = courses([river('~1', [[0, 400], [1200, 400]], 10)]).values();
    if (!course) throw new Error('no river');
    const [crossing, ...more] = crossingsOf([{ x: 600, y: -10 }, { x: 600, y: 810 }], 6, course);
    expect(more).toEqual([]);
    expect(crossing?.at.x).toBeCloseTo(600);
    expect(crossing?.over).toBeGreaterThan(8);
    expect(crossing?.over).toBeLessThan(13);
  });
});

describe('hills', () => {
  const ring = square(100, 100, 400, 300);
  const height = heightOf([ring], new Hand('hill'));

  test('rise from their edge inwards, and their contours lie within it at their height', () => {
    expect(height.at({ x: 90, y: 200 })).toBeCloseTo(0, 0);
    expect(height.at({ x: 300, y: 250 })).toBeGreaterThan(60);
    const contours = height.contour(40);
    expect(contours.length).toBeGreaterThan(0);
    for (const p of contours.flat()) {
      expect(inside([ring], p)).toBe(true);
      expect(height.at(p)).toBeCloseTo(40, -1);
      expect(toEdge([ring], p)).toBeGreaterThan(15);
    }
  });

  test('fall outwards', () => {
    expect(height.down({ x: 130, y: 250 }).x).toBeLessThan(-0.5);
    expect(height.down({ x: 300, y: 370 }).y).toBeGreaterThan(0.5);
  });
});

describe('villages', () => {
  const ring = square(200, 200, 160, 120);
  const village = () => buildings(pieceOf(piece('~1', 'buildings', { rings: [ring.map((p) => ({ x: p.x * 1000, y: TABLE.depth - p.y * 1000 }))] }), TABLE));

  test('have a church and houses of unequal size, all within their sector', () => {
    const marks = village();
    const houses = marks.find(({ look }) => look === 'house')?.d.split('Z').filter(Boolean) ?? [];
    expect(marks.some(({ look }) => look === 'church')).toBe(true);
    expect(houses.length).toBeGreaterThan(20);
    for (const house of houses) for (const corner of points(house)) expect(inside([square(199.9, 199.9, 160.2, 120.2)], corner)).toBe(true);
    const sizes = new Set(houses.map((house) => Math.round(lengthOf(points(house)))));
    expect(sizes.size).toBeGreaterThan(8);
  });

  test('are seen through a garrison, also one that fills them to the edge', () => {
    expect(garrisoned([ring], [ring])).toBe(true);
    expect(garrisoned([square(330, 200, 160, 120)], [ring])).toBe(false);
    expect(garrisoned([], [ring])).toBe(false);
  });
});

describe('life', () => {
  test('is the same for the same table', () => {
    expect(life(view.setting)).toEqual(life(view.setting));
    expect(life({ ...view.setting, title: 'Another' })).not.toEqual(life(view.setting));
  });

  test('keeps off what means something in the rules, and on the table', () => {
    const marks = life(view.setting).filter(({ look }) => ['life-edge', 'life-houses', 'life-tint', 'life-green'].includes(look));
    expect(marks.length).toBeGreaterThan(1);
    const solid = view.setting.ground.filter(({ drawn, rings }) => rings.length > 0 && drawn !== 'hill' && drawn !== 'ridge');
    const rings = solid.map((one) => one.rings.map((each) => each.map((p) => toSheet(p, view.setting.depth))));
    for (const p of marks.flatMap(({ d }) => points(d))) {
      expect(p.x >= 0 && p.y >= 0 && p.x <= view.setting.width / 1000 && p.y <= view.setting.depth / 1000).toBe(true);
      expect(rings.some((ring) => inside(ring, p))).toBe(false);
    }
  });
});

describe('names of the ground', () => {
  test('lie on no other, on no unit, and within the frame, however near or turned the sheet is', () => {
    const table = { width: view.setting.width / 1000, height: view.setting.depth / 1000 };
    for (const turn of [0, 90, 180]) {
      for (const scale of [0.3, 0.6, 1.2]) {
        const covered = covering(view, scale, turn);
        const names = placeNames(groundNames(view.setting, turn), covered, Math.min(Math.max(9, 14 / scale), 46), table, turn);
        expect(names.length).toBeGreaterThan(2);
        names.forEach((name, i) => {
          for (const box of name.boxes) {
            expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= table.width && box.y + box.height <= table.height).toBe(true);
            expect(covered.some((other) => overlap(box, other))).toBe(false);
            for (const other of names.slice(i + 1)) expect(other.boxes.some((one) => overlap(box, one)), `${name.text} on ${other.text}`).toBe(false);
          }
        });
      }
    }
  });

  const table = { width: 400, height: 400 };
  const area = (id: string, drawn: 'buildings' | 'wood', ring: Pt[]) => piece(id, drawn, { name: 'Blenheim', rings: [ring.map((p) => ({ x: p.x * 1000, y: TABLE.depth - p.y * 1000 }))] });

  test('a village has its name, near it and over its own roofs rather than not at all', () => {
    const ring = square(150, 150, 100, 60);
    const named = (covered: Box[]) => placeNames(groundNames(setting([area('~1', 'buildings', ring)])), covered, 10, table, 0, [], [{ id: '~1', boxes: [boundsOf(ring)] }])[0];
    const beside = named([])?.boxes[0];
    expect(beside && overlap(beside, boundsOf(ring))).toBe(false);
    expect(beside && toEdge([ring], { x: beside.x + beside.width / 2, y: beside.y + beside.height / 2 })).toBeLessThan(20);
    // Troops all round it.
    const round = [{ x: 0, y: 0, width: 400, height: 150 }, { x: 0, y: 210, width: 400, height: 190 }, { x: 0, y: 0, width: 150, height: 400 }, { x: 250, y: 0, width: 150, height: 400 }];
    const over = named(round)?.boxes[0];
    expect(over && over.x >= 150 && over.x + over.width <= 250 && over.y >= 150 && over.y + over.height <= 210).toBe(true);
  });

  test('one that stands upright keeps within what it names', () => {
    const [name] = placeNames(groundNames(setting([area('~1', 'wood', square(100, 100, 30, 90))])), [], 14, table);
    const box = name?.boxes[0];
    expect(name?.upright).toBe(true);
    expect(box && box.y >= 100 && box.y + box.height <= 190).toBe(true);
  });
});
