import { describe, expect, test } from 'vitest';
import { fixture } from '../../scripts/fixture.mjs';
import type { View } from '../protocol/View';
import { paperOf, rosterOf } from './paper';

const { view } = fixture(13) as unknown as { view: View };

describe('paper', () => {
  test('lies across for a wide table and stands upright for a deep one', () => {
    expect(paperOf({ ...view.setting, width: 2_000_000, depth: 1_000_000 }).upright).toBe(false);
    expect(paperOf({ ...view.setting, width: 1_000_000, depth: 2_000_000 }).upright).toBe(true);
  });

  test('has every unit of a side once in its roster, under its command, and nobody of the other side', () => {
    for (const side of ['A', 'B'] as const) {
      const listed = rosterOf(view, side).flatMap(({ units }) => units.map(({ id }) => id));
      const own = view.units.filter((unit) => unit.side === side).map(({ id }) => id);
      expect([...listed].sort()).toEqual([...own].sort());
    }
    const orphan = { ...view, commands: [] };
    expect(rosterOf(orphan, 'A')).toHaveLength(1);
  });
});
