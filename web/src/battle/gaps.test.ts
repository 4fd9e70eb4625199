import { describe, expect, it } from 'vitest';
import type { ChangeEntry } from '../protocol/ChangeEntry';
import type { Course } from '../protocol/Course';
import type { Overlay } from '../protocol/Overlay';
import { changed, found } from './changes';
import { byTurn, countable, plot } from './course';
import { drawn, ranked } from './overlays';
import { EVERYTHING, inWords, withOne } from './standing';

const entry = (name: string, value: string, note = ''): ChangeEntry => ({ name, note, kind: 'text', choices: [], value });

describe('what is changed in a scenario', () => {
  const entries = [entry('options.turns', '6', 'How many turns'), entry('PK-VOL-02.dice', '3', 'A volley'), entry('PK-VOL-01.depth', '100', 'The zone')];

  it('names only what differs', () => {
    expect(changed(entries, { 'options.turns': '6', 'PK-VOL-02.dice': ' 5 ', 'PK-VOL-01.depth': '' })).toEqual(['PK-VOL-02.dice=5']);
  });

  it('is found by words, and what was changed stays in sight', () => {
    expect(found(entries, 'volley', {}).map(({ name }) => name)).toEqual(['PK-VOL-02.dice']);
    expect(found(entries, '', {})).toEqual([]);
    expect(found(entries, 'zone', { 'PK-VOL-02.dice': '5' }).map(({ name }) => name)).toEqual(['PK-VOL-02.dice', 'PK-VOL-01.depth']);
    expect(found(entries, 'pk', {}, 1)).toHaveLength(1);
  });
});

describe('standing instructions', () => {
  const evade = { ...EVERYTHING, kind: 'evade', reactor: '#1', unless_within: 100_000 };

  it('are not given twice, and read as sentences', () => {
    expect(withOne([evade], { ...evade })).toEqual([evade]);
    expect(inWords(evade, () => 'the 20th Foot', 'cm')).toBe('Let “evade” pass when the 20th Foot could react unless within 10 cm.');
    expect(inWords(EVERYTHING, String, 'cm')).toBe('Let everything pass.');
    expect(inWords({ ...EVERYTHING, unless_touched: '%1', until: 'turn' }, () => 'the left', 'cm')).toBe('Let everything pass until the left is shot at or charged for this turn.');
  });
});

describe('overlays', () => {
  const square = (kind: Overlay['kind'], label: string, side: number): Overlay => ({
    kind,
    label,
    clause: 'PK-VOL-01',
    rings: [[{ x: 0, y: 0 }, { x: side, y: 0 }, { x: side, y: side }, { x: 0, y: side }]],
  });
  const all = ranked([square('command', 'command radius', 50), square('fire', 'long', 30), square('fire', 'short', 10), square('zone', 'zone', 20)].map((overlay) => ({ overlay, whose: '#0' })));

  it('are ranked by what they show, then from near to far', () => {
    expect(all.map(({ overlay, place }) => [overlay.label, place])).toEqual([['zone', 0], ['short', 0], ['long', 1], ['command radius', 0]]);
  });

  it('are drawn with what matters most on top', () => {
    expect(drawn(all).at(-1)?.overlay.label).toBe('zone');
  });
});

describe('the course of a battle', () => {
  const at = (moment: number, turn: number, worth: number, stands: [number, number]) => ({ moment, turn, worth, chance: null, luck: null, units: [2, 2] as [number, number], stands, points: [200, 180] as [number, number] });
  const course: Course = {
    moments: [at(1, 1, 0, [8, 8]), at(2, 1, 5, [8, 6]), at(3, 2, -20, [4, 6])],
    commands: [{ name: 'Left', side: 'A', units: 2, stands: 8, points: 200, lost: [{ turn: 1, units: 0, stands: 1, points: 30 }, { turn: 2, units: 1, stands: 4, points: 90 }] }],
    turning: 3,
  };

  it('sums losses by turn', () => {
    expect(byTurn(course, 'stands')).toEqual({ turns: [1, 2], rows: [{ name: 'Left', side: 'A', had: 8, cells: [1, 4], lost: 5 }] });
    expect(byTurn(course, 'units').rows[0]).toMatchObject({ had: 2, cells: [0, 1], lost: 1 });
    expect(byTurn(course, 'points').rows[0]).toMatchObject({ had: 200, cells: [30, 90], lost: 120 });
    expect(countable(course)).toEqual(['stands', 'units', 'points']);
    expect(countable({ ...course, commands: course.commands.map((one) => ({ ...one, points: 0 })) })).toEqual(['stands', 'units']);
  });

  it('is drawn as a line of steps from the first moment to the last', () => {
    expect(plot([8, 8, 4], 100, 50, 0, 8)).toBe('M0.0 0.0H50.0V0.0H100.0V25.0');
    expect(plot([0, 10], 100, 50, -10, 10)).toBe('M0.0 25.0H100.0V0.0');
  });
});
