import { describe, expect, test } from 'vitest';
import { fixture } from '../../scripts/fixture.mjs';
import type { GroundStyle } from '../protocol/GroundStyle';
import type { View } from '../protocol/View';
import { drawGround } from './ground/draw';
import { groundNames, placeNames } from './ground/names';
import { overlap } from './geometry';
import { pastEdges } from './ground/mark';
import { placeLabels } from './labels';
import { SHAPES } from './marker';
import { drawUnit, inkOn } from './unit';

const view = fixture(13).view as unknown as View;

describe('the ground', () => {
  test('is drawn the same every time', () => {
    // Another place, so that it is drawn anew and not kept; the hand of a piece does not know where it is.
    const again = { ...view.setting, place: 'elsewhere' };
    expect(drawGround(again)).not.toBe(drawGround(view.setting));
    expect(JSON.stringify(drawGround(again))).toBe(JSON.stringify(drawGround(view.setting)));
  });

  test('has something to draw for every piece, and no number that is none', () => {
    const drawn = drawGround(view.setting);
    expect(drawn).toHaveLength(view.setting.ground.length);
    for (const { style, marks } of drawn) {
      expect(marks.length, style).toBeGreaterThan(0);
      for (const { d } of marks) expect(d, style).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test('lies in order: hills under water under woods under roads under houses', () => {
    const order = drawGround(view.setting).map(({ style }) => style);
    const first = (style: GroundStyle) => order.indexOf(style);
    expect(first('hill')).toBeLessThan(first('river'));
    expect(first('river')).toBeLessThan(first('wood'));
    expect(first('wood')).toBeLessThan(first('road'));
    expect(first('road')).toBeLessThan(first('buildings'));
  });

  test('that ends at the edge of the table goes on beyond it, and stays where it was on the table', () => {
    const ring = [{ x: 0, y: 20 }, { x: 60, y: 20 }, { x: 60, y: 80 }, { x: 0, y: 80 }];
    const past = pastEdges(ring, 200, 100);
    expect(past).toEqual([{ x: -80, y: 20 }, { x: 0, y: 20 }, { x: 60, y: 20 }, { x: 60, y: 80 }, { x: 0, y: 80 }, { x: -80, y: 80 }]);
    const inner = ring.map(({ x, y }) => ({ x: x + 50, y }));
    expect(pastEdges(inner, 200, 100)).toEqual(inner);
  });

  test('has its names, those of water in their own hand', () => {
    const names = new Map(groundNames(view.setting).map(({ text, water }) => [text, water]));
    expect(names.get('River Lamato')).toBe(true);
    expect(names.get('San Pietro')).toBe(false);
  });

  test('has its names beside troops, not under them, and nowhere where there is no room', () => {
    const table = { width: view.setting.width / 1000, height: view.setting.depth / 1000 };
    const names = groundNames(view.setting);
    const wood = () => names.find(({ text }) => text === 'Bosco Grande');
    const lone = wood();
    if (!lone?.places[0]) throw new Error('no wood');
    const [alone] = placeNames([lone], [], 12, table);
    expect(alone).toMatchObject({ at: lone.places[0], part: 1 });
    const unit = { x: lone.places[0].x - 40, y: lone.places[0].y - 8, width: 80, height: 16 };
    const [beside] = placeNames([lone], [unit], 12, table);
    expect(Math.abs((beside?.at.y ?? 0) - lone.places[0].y)).toBeGreaterThan(8);
    expect(beside?.boxes.some((box) => overlap(box, unit))).toBe(false);
    expect(placeNames([lone], [{ x: 0, y: 0, ...table }], 12, table)).toEqual([]);
    const road = names.find(({ text }) => text === 'Strada Reale');
    const middle = road?.along?.points[4];
    if (!road || !middle) throw new Error('no road');
    const [along] = placeNames([road], [{ x: middle.x - 150, y: middle.y - 60, width: 300, height: 120 }], 12, table);
    expect(along?.along?.start).not.toBe(0.5);
  });
});

describe('troops', () => {
  test('are drawn where they stand, and not at all off the table', () => {
    const [unit] = view.units;
    if (!unit) throw new Error('no unit');
    const drawn = drawUnit(unit, view.setting.depth);
    expect(drawn?.middle.x).toBeCloseTo((unit.pose?.at.x ?? 0) / 1000, -1);
    expect(drawUnit({ ...unit, pose: null, stands: [] }, view.setting.depth)).toBeNull();
  });

  test('have ink that can be read on their coats', () => {
    expect(inkOn('#f3eee2')).toBe('#1d1812');
    expect(inkOn('#22334d')).toBe('#f7f1e1');
  });

  test('have markers that differ in shape, not only in colour', () => {
    const shapes = Object.values(SHAPES).map(({ d }) => d);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('have names that never overlap, and the one asked for always', () => {
    const rooms = Array.from({ length: 40 }, (_, i) => ({ x: (i % 5) * 20, y: Math.floor(i / 5) * 12, width: 18, height: 10 }));
    const wishes = rooms.map((room, i) => ({ id: `#${i}`, text: 'A rather long name', room, must: i === 7 }));
    const labels = placeLabels(wishes, rooms, 5);
    expect(labels.some(({ id }) => id === '#7')).toBe(true);
    const width = 'A rather long name'.length * 5 * 0.46;
    const boxes = labels.map(({ at }) => ({ x: at.x - width / 2, y: at.y - 2.5, width, height: 5 }));
    boxes.forEach((box, i) => boxes.slice(i + 1).forEach((other) => expect(overlap(box, other)).toBe(false)));
  });
});
