/** The table as it is drawn in the workshop: what the server could lay out, and what something is wrong with where the file has it. */

import { toMicrometres } from '../battle/measure';
import type { Json } from '../companion/form';
import type { Measure } from '../protocol/Measure';
import type { Rosters } from '../protocol/Rosters';
import type { UnitView } from '../protocol/UnitView';
import type { View } from '../protocol/View';
import { listAt, pointOf, sideOf, word } from './document';

type Pt = { x: number; y: number };

/** A unit moved and turned to another place. */
export function moved(unit: UnitView, at: Pt, heading: number): UnitView {
  const from = unit.pose;
  if (!from) return unit;
  const turn = ((heading - from.heading) / 100) * (Math.PI / 180);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const place = (p: Pt): Pt => {
    const [dx, dy] = [p.x - from.at.x, p.y - from.at.y];
    return { x: Math.round(at.x + dx * cos + dy * sin), y: Math.round(at.y - dx * sin + dy * cos) };
  };
  return { ...unit, pose: { at, heading }, stands: unit.stands.map((stand) => stand.map(place)) };
}

/** A plain block for a unit that was never laid out. */
function block(key: string, name: string, side: 'A' | 'B', colour: string, at: Pt, heading: number, measure: Measure): UnitView {
  const [half, depth] = measure === 'in' ? [63_500, 25_400] : [60_000, 30_000];
  const stand = [{ x: -half, y: 0 }, { x: half, y: 0 }, { x: half, y: -depth }, { x: -half, y: -depth }];
  const plain: UnitView = {
    id: `!${key}`, key, name, side, command: null, symbol: 'foot', coat: colour, facings: '#ffffff', pose: { at: { x: 0, y: 0 }, heading: 0 },
    stands: [stand], formation: '', markers: [], lines: [], absent: null, lost: false,
  };
  return moved(plain, at, heading);
}

/** The view with every unit of the file that has a place. */
export function composed(view: View, document: Json | null, rosters: Rosters, seen: Map<string, UnitView>): View {
  const { measure, sides } = view.setting;
  const there = new Set(view.units.map(({ key }) => key));
  const missing = listAt(document, rosters.units).flatMap((entry): UnitView[] => {
    const [key, at] = [word(entry, 'id'), pointOf(entry.at)];
    if (there.has(key) || !at) return [];
    const place = { x: toMicrometres(at[0], measure), y: toMicrometres(at[1], measure) };
    const heading = (typeof entry.facing === 'number' ? entry.facing : 0) * 100;
    const before = seen.get(key);
    if (before?.pose) return [{ ...moved(before, place, heading), id: `!${key}` }];
    const side = listAt(document, 'sides').findIndex(({ id }) => id === sideOf(document, rosters, rosters.units, entry)) === 1 ? 'B' : 'A';
    return [block(key, word(entry, 'name'), side, sides.find((one) => one.side === side)?.colour ?? '#777777', place, heading, measure)];
  });
  return missing.length > 0 ? { ...view, units: [...view.units, ...missing] } : view;
}

/** The box round all stands of a unit, in the numbers of the file. */
export function boxOf(unit: UnitView, per: number): { low: [number, number]; high: [number, number] } {
  const all = unit.stands.flat();
  const [xs, ys] = [all.map(({ x }) => x / per), all.map(({ y }) => y / per)];
  return { low: [Math.min(...xs), Math.min(...ys)], high: [Math.max(...xs), Math.max(...ys)] };
}

/** How wide and deep a unit is, seen from its front, in the numbers of the file. */
export function sizeOf(unit: UnitView, per: number): [number, number] {
  if (!unit.pose) return [0, 0];
  const square = moved(unit, unit.pose.at, 0);
  const { low, high } = boxOf(square, per);
  return [high[0] - low[0], high[1] - low[1]];
}
