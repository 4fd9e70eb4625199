import { describe, expect, test } from 'vitest';
import type { Schema } from '../companion/form';
import { guessed, itemsOf, rowsOf, written } from './csv';
import { balanceOf } from './fair';
import { cellsOf, columnsOf, typed } from './schema';
import { aligned, freePlace, inLine, inRanks, rectangle, simplified, snapped } from './shapes';

const schema: Schema = {
  properties: {
    units: { type: 'array', items: { $ref: '#/$defs/Unit' } },
  },
  $defs: {
    Unit: {
      type: 'object',
      required: ['id', 'arm'],
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        command: { type: 'string' },
        arm: { oneOf: [{ const: 'infantry' }, { const: 'cavalry' }] },
        stands: { type: ['integer', 'null'] },
        abilities: { $ref: '#/$defs/Abilities' },
        at: { type: 'array' },
      },
    },
    Abilities: { type: 'object', properties: { skirmish: { type: 'boolean' } } },
  },
};
const cells = cellsOf(schema, 'units');

describe('fields', () => {
  test('are read off the schema, those of an inner table too', () => {
    expect(cells.map(({ path, kind }) => [path, kind])).toEqual([
      ['id', 'text'], ['name', 'text'], ['command', 'text'], ['arm', 'word'], ['stands', 'number'], ['abilities.skirmish', 'switch'], ['at', 'other'],
    ]);
  });
  test('are columns where they are needed or used', () => {
    expect(columnsOf(cells, [{ stands: 4 }], ['id']).map(({ path }) => path)).toEqual(['arm', 'stands']);
  });
  test('take what a person types', () => {
    const cell = (path: string) => cells.find((one) => one.path === path) ?? cells[0]!;
    expect(typed(cell('arm'), 'Cavalry')).toBe('cavalry');
    expect(typed(cell('stands'), '4')).toBe(4);
    expect(typed(cell('stands'), ' ')).toBe(null);
    expect(typed(cell('abilities.skirmish'), 'yes')).toBe(true);
  });
});

describe('tables', () => {
  const text = 'Brigade;Unit;Arm;Strength;Skirmish\nRoss;"20th; the young";Infantry;4;x\n;;;;\n';
  test('are read with any mark, with quotes and empty lines', () => {
    expect(rowsOf(text)).toEqual([['Brigade', 'Unit', 'Arm', 'Strength', 'Skirmish'], ['Ross', '20th; the young', 'Infantry', '4', 'x']]);
  });
  test('are mapped by name, by use, and as before', () => {
    const [heads = [], ...rows] = rowsOf(text);
    const mapping = guessed(heads, cells, { Strength: '' }, 'command');
    expect(mapping).toEqual({ Brigade: 'command', Unit: 'name', Arm: 'arm', Strength: '', Skirmish: 'abilities.skirmish' });
    const items = itemsOf(rows, heads, mapping, cells);
    expect(items).toEqual([{ command: 'Ross', name: '20th; the young', arm: 'infantry', abilities: { skirmish: true } }]);
    expect(written(items, cells)).toBe('name,command,arm,abilities.skirmish\n"20th; the young",Ross,infantry,true\n');
  });
});

describe('shapes', () => {
  test('snap to what is near, otherwise to the grid', () => {
    expect(snapped([10.2, 5.4], [[11, 5]], 1, 1.5)).toEqual([11, 5]);
    expect(snapped([10.2, 5.4], [[31, 5]], 1, 1.5)).toEqual([10, 5]);
  });
  test('are clockwise from the north-west', () => {
    expect(rectangle([4, 1], [1, 3])).toEqual([[1, 3], [4, 3], [4, 1], [1, 1]]);
  });
  test('drawn freehand keep only their bends', () => {
    expect(simplified([[0, 0], [1, 0.1], [2, 0], [3, 0.1], [4, 4]], 0.3)).toEqual([[0, 0], [3, 0.1], [4, 4]]);
  });
  test('a line has gaps of the same width and keeps its middle', () => {
    const body = (x: number, width: number) => ({ at: [x, 10] as [number, number], facing: 0, width, depth: 3 });
    expect(inLine([body(20, 8), body(10, 4)], 1).map(({ at }) => at)).toEqual([[17.5, 10], [10.5, 10]]);
  });
  test('fronts are brought level with the first', () => {
    const bodies = [{ at: [5, 10], facing: 90, width: 8, depth: 3 }, { at: [7, 30], facing: 80, width: 8, depth: 3 }] as Parameters<typeof aligned>[0];
    expect(aligned(bodies)).toEqual([{ at: [5, 10], facing: 90 }, { at: [5, 30], facing: 90 }]);
  });
  test('room is found beside what is there', () => {
    const [x, y] = freePlace([10, 10], [4, 2], [{ low: [6, 8], high: [14, 12] }], [40, 20]);
    expect(x <= 4 || x >= 16 || y <= 7 || y >= 13).toBe(true);
  });
  test('troops are drawn up in lines before a place, as far ahead as they must be to meet nobody', () => {
    // Ten: two lines of five, the second ahead; looking east, the right of a line is south.
    const north = inRanks([30, 10], 0, [4, 2], 10, [], [60, 40]);
    expect(north?.slice(0, 5)).toEqual([[22, 10], [26, 10], [30, 10], [34, 10], [38, 10]]);
    expect(north?.slice(5)).toEqual([[22, 12], [26, 12], [30, 12], [34, 12], [38, 12]]);
    expect(inRanks([10, 20], 90, [2, 4], 3, [], [60, 40])).toEqual([[10, 24], [10, 20], [10, 16]]);
    const beyond = inRanks([30, 10], 0, [4, 2], 2, [{ low: [28, 9], high: [32, 10.4] }], [60, 40]);
    expect(beyond).toEqual([[28, 11.5], [32, 11.5]]);
    expect(inRanks([30, 10], 0, [40, 2], 10, [], [60, 40]), 'no line is so long').toBeNull();
  });
});

test('the balance of a scenario in a word', () => {
  const share = (value: number) => ({ value, low: value - 0.05, high: value + 0.05 });
  const of = (a: number, b: number) => balanceOf({ battles: 100, shares: [share(a), share(b), share(1 - a - b)], summary: '' });
  expect(of(0.48, 0.45)).toMatchObject({ word: 'even' });
  expect(of(0.3, 0.5)).toMatchObject({ word: 'leans', side: 1, sure: true });
  expect(of(0.9, 0.05)).toMatchObject({ word: 'decided', side: 0 });
  expect(of(0.1, 0.1)).toMatchObject({ word: 'drawn' });
});
