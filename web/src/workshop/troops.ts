/** Units added, copied, moved and drawn up: each as the edits that do it. */

import { inUnits } from '../battle/measure';
import type { Json } from '../companion/form';
import type { BookTools } from '../protocol/BookTools';
import type { Edit } from '../protocol/Edit';
import type { Measure } from '../protocol/Measure';
import type { Template } from '../protocol/Template';
import type { UnitView } from '../protocol/UnitView';
import type { View } from '../protocol/View';
import { boxOf, sizeOf } from './compose';
import { add, freshId, idsOf, listAt, pointOf, pointsOf, rounded, set, sideOf, valueAt, word, type Table } from './document';
import { aligned, freePlace, inLine, inRanks, type Body, type Spot } from './shapes';

export interface Field {
  document: Json | null;
  tools: BookTools;
  view: View;
}

export const PER: Record<Measure, number> = { cm: 10_000, mm: 1_000, in: 25_400 };

/** Which way troops of a side look: as those who are there do, and the first of them across the table. */
export function facingOf(field: Field, side: string): number {
  const { document, tools: { bench }, view } = field;
  const same = listAt(document, bench.rosters.units).find((one) => sideOf(document, bench.rosters, bench.rosters.units, one) === side && typeof one.facing === 'number');
  if (typeof same?.facing === 'number') return same.facing;
  const [width, depth] = [inUnits(view.setting.width, view.setting.measure), inUnits(view.setting.depth, view.setting.measure)];
  const at = officersOf(field, side)[0] ?? [width / 2, 0];
  const [x, y] = [at[0] / width - 0.5, at[1] / depth - 0.5];
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? 90 : 270;
  return y < 0 ? 0 : 180;
}

function officersOf({ document, tools: { bench } }: Field, side: string): Spot[] {
  const list = listAt(document, bench.rosters.officers).filter((one) => sideOf(document, bench.rosters, bench.rosters.officers, one) === side);
  return list.map((one) => pointOf(one.at)).filter((at) => at !== null);
}

/** Where a new unit of a command would best stand: before its officer. */
function wish(field: Field, command: string, facing: number): Spot {
  const { document, tools: { bench }, view } = field;
  const { rosters } = bench;
  const officer = listAt(document, rosters.officers).find((one) => (rosters.officer_command === null ? one.id : one[rosters.officer_command]) === command);
  const from = pointOf(officer?.at) ?? [inUnits(view.setting.width, view.setting.measure) / 2, inUnits(view.setting.depth, view.setting.measure) / 2];
  const step = view.setting.measure === 'in' ? 4 : 10 * (view.setting.measure === 'mm' ? 10 : 1);
  const turn = (facing * Math.PI) / 180;
  return [from[0] + Math.sin(turn) * step, from[1] + Math.cos(turn) * step];
}

/** Room for a unit of which nothing is known yet: as wide as the widest that is there. */
function room(field: Field, facing: number): Spot {
  const { view } = field;
  const per = PER[view.setting.measure];
  const usual: Spot = view.setting.measure === 'in' ? [7, 3] : view.setting.measure === 'cm' ? [17, 7] : [170, 70];
  const [wide, deep] = view.units.reduce<Spot>(([w, d], unit) => {
    const [a, b] = sizeOf(unit, per);
    return [Math.max(w, Math.min(a, usual[0] * 2)), Math.max(d, Math.min(b, usual[1] * 2))];
  }, usual);
  const gap = usual[1] / 3;
  return Math.round(facing / 90) % 2 === 0 ? [wide + gap, deep + gap] : [deep + gap, wide + gap];
}

/** Adds so many units of a sort to a command, each where there is room for it. */
export function added(field: Field, template: Template, command: string, count: number, named = ''): Edit[] {
  const rows = Array.from({ length: count }, () => ({ ...(template.value as Table) }));
  return placedUnits(field, rows, command, template, named);
}

/** Units as rows have them, put on the table where they have no place. */
export function placedUnits(field: Field, rows: Table[], command: string, template: Template | null, named = ''): Edit[] {
  const { document, tools: { bench }, view } = field;
  const { rosters } = bench;
  const taken = idsOf(document);
  const per = PER[view.setting.measure];
  const boxes = view.units.filter(({ pose }) => pose).map((unit) => boxOf(unit, per));
  // Nobody is put on top of an officer.
  const clear = { cm: 1.5, mm: 15, in: 0.6 }[view.setting.measure];
  for (const { at } of listAt(document, rosters.officers)) {
    const spot = pointOf(at);
    if (spot) boxes.push({ low: [spot[0] - clear, spot[1] - clear], high: [spot[0] + clear, spot[1] + clear] });
  }
  const table: Spot = [inUnits(view.setting.width, view.setting.measure), inUnits(view.setting.depth, view.setting.measure)];
  const edits: Edit[] = [];
  const names = new Set(listAt(document, rosters.units).map((one) => word(one, 'name')));
  const commandOf = (row: Table) => word(row, rosters.unit_command) || command;
  const placeless = (row: Table) => !pointOf(row.at) && row.arrives === undefined;
  // Those of a command that have no place are drawn up together.
  const drawn: Record<string, Spot[]> = {};
  rows.forEach((row) => {
    const under = commandOf(row);
    const over = listAt(document, rosters.commands).find((one) => one.id === under);
    const side = word(over, 'side');
    const contingent = rosters.contingents ? contingentFor(field, template, side, edits, taken) : null;
    const facing = typeof row.facing === 'number' ? row.facing : facingOf(field, side);
    const size = room(field, facing);
    // The place of a unit is the middle of its front: its body lies behind that.
    const back = (Math.round(facing / 90) % 2 === 0 ? size[1] : size[0]) / 2;
    const [sin, cos] = [Math.sin((facing * Math.PI) / 180), Math.cos((facing * Math.PI) / 180)];
    const given = pointOf(row.at);
    if (placeless(row) && !(under in drawn)) {
      const all = rows.filter((other) => commandOf(other) === under && placeless(other)).length;
      drawn[under] = inRanks(wish(field, under, facing), facing, size, all, boxes, table) ?? [];
    }
    const free = () => drawn[under]?.shift() ?? freePlace(wish(field, under, facing), size, boxes, table);
    const body: Spot | null = given ? [given[0] - sin * back, given[1] - cos * back] : placeless(row) ? free() : null;
    const at = given ?? (body && ([rounded(body[0] + sin * back), rounded(body[1] + cos * back)] as Spot));
    if (body) boxes.push({ low: [body[0] - size[0] / 2, body[1] - size[1] / 2], high: [body[0] + size[0] / 2, body[1] + size[1] / 2] });
    const arm = word(row, 'arm') || word(row, 'kind') || 'unit';
    const name = word(row, 'name') || freshName(named || [template?.nation, arm.replace(/[_-]/g, ' ')].filter(Boolean).join(' '), names);
    const item: Table = { id: freshId(word(row, 'id') || `${side}-${arm}-1`, taken), name, [rosters.unit_command]: under };
    if (rosters.unit_side) item[rosters.unit_side] = side;
    if (rosters.contingents && contingent) item[rosters.contingents[1]] = contingent;
    for (const [key, value] of Object.entries(row)) if (!(key in item) && value !== null) item[key] = value;
    if (at) [item.at, item.facing] = [at, facing];
    edits.push(add(rosters.units, item));
  });
  return edits;
}

/** The first number after a name that no unit has yet. */
function freshName(name: string, names: Set<string>): string {
  let n = 1;
  while (names.has(`${name} ${n}`)) n += 1;
  names.add(`${name} ${n}`);
  return `${name} ${n}`;
}

/** The contingent of a template on a side: one that is there, or a new one. */
function contingentFor({ document, tools: { bench } }: Field, template: Template | null, side: string, edits: Edit[], taken: Set<string>): string | null {
  const list = bench.rosters.contingents?.[0];
  if (!list) return null;
  const own = listAt(document, list).filter((one) => one.side === side);
  if (!template?.contingent) return word(own[0], 'id') || null;
  const wanted = template.contingent as Table;
  const there = own.find((one) => one.name === wanted.name);
  if (there) return word(there, 'id');
  const made = edits.find((edit) => edit.do === 'add' && edit.path === list && (edit.value as Table).name === wanted.name);
  if (made?.do === 'add') return word(made.value as Table, 'id');
  const id = freshId(word(wanted, 'id') || 'contingent', taken);
  edits.push(add(list, { ...wanted, id, side }));
  return id;
}

/** Some units or officers moved by so much. */
export function shifted(document: Json | null, items: { list: string; n: number }[], by: Spot): Edit[] {
  return items.flatMap(({ list, n }) => {
    const at = pointOf(valueAt(document, `${list}[${n}].at`));
    return at ? [set(`${list}[${n}].at`, [rounded(at[0] + by[0]), rounded(at[1] + by[1])])] : [];
  });
}

/** A whole piece of ground moved by so much, holes and all. */
export function shiftedGround(document: Json | null, n: number, by: Spot): Edit[] {
  const piece = listAt(document, 'ground')[n];
  const moved = (value: Json | undefined): Json[] => pointsOf(value).map(([x, y]) => [rounded(x + by[0]), rounded(y + by[1])]);
  const edits = (['area', 'line'] as const).flatMap((key) => (piece?.[key] === undefined ? [] : [set(`ground[${n}].${key}`, moved(piece[key]))]));
  const holes = piece?.holes;
  return Array.isArray(holes) ? [...edits, set(`ground[${n}].holes`, holes.map(moved))] : edits;
}

/** A further command of a side, with an officer of its own a little aside; with it, the id that it has. */
export function commandLike({ document, tools: { bench } }: Field, n: number, called: (name: string) => string): { id: string; edits: Edit[] } {
  const { rosters } = bench;
  const like = listAt(document, rosters.commands)[n] ?? {};
  const taken = idsOf(document);
  const aside = (entry: Table): Table => {
    const at = pointOf(entry.at);
    return at ? { ...entry, at: [Math.round(at[0] * 0.6), at[1]] } : entry;
  };
  const name = called(word(like, rosters.command_name) || word(like, 'name'));
  const id = freshId(name, taken);
  if (rosters.officers === rosters.commands) return { id, edits: [add(rosters.commands, aside({ ...like, id, name: called(word(like, 'name')), [rosters.command_name]: name }))] };
  const edits = [add(rosters.commands, { ...like, id, [rosters.command_name]: name })];
  const key = rosters.officer_command;
  const officer = listAt(document, rosters.officers).find((one) => key !== null && one[key] === like.id);
  if (officer && key) {
    const { commander_in_chief: _chief, ...rest } = officer;
    edits.push(add(rosters.officers, aside({ ...rest, id: freshId(word(officer, 'id'), taken), name: called(word(officer, 'name')), [key]: id })));
  }
  return { id, edits };
}

/** Some units turned by so many degrees, each on its place. */
export function turned(document: Json | null, items: { list: string; n: number }[], by: number): Edit[] {
  return items.flatMap(({ list, n }) => {
    const facing = valueAt(document, `${list}[${n}].facing`);
    return typeof facing === 'number' ? [set(`${list}[${n}].facing`, (((facing + by) % 360) + 360) % 360)] : [];
  });
}

/** Copies of some units beside them. */
export function copied(field: Field, numbers: number[]): Edit[] {
  const { document, tools: { bench } } = field;
  const units = listAt(document, bench.rosters.units);
  return numbers.flatMap((n) => {
    const unit = units[n];
    if (!unit) return [];
    const { id: _id, at: _at, ...row } = unit;
    return placedUnits(field, [row], word(unit, bench.rosters.unit_command), null);
  });
}

/** Some units in a line with real gaps, or with their fronts level. */
export function drawnUp(document: Json | null, view: View, list: string, numbers: number[], way: 'line' | 'level'): Edit[] {
  const { measure } = view.setting;
  const items = listAt(document, list);
  const bodies = numbers.flatMap((n): { n: number; body: Body }[] => {
    const item = items[n];
    const at = pointOf(item?.at);
    const unit: UnitView | undefined = view.units.find(({ key }) => key === item?.id);
    if (!at || !unit) return [];
    const [width, depth] = sizeOf(unit, PER[measure]);
    return [{ n, body: { at, facing: typeof item?.facing === 'number' ? item.facing : 0, width, depth } }];
  });
  const gap = { cm: 1, mm: 10, in: 0.5 }[measure];
  const placed = way === 'line' ? inLine(bodies.map(({ body }) => body), gap) : aligned(bodies.map(({ body }) => body));
  return bodies.flatMap(({ n }, i) => {
    const to = placed[i];
    return to ? [set(`${list}[${n}].at`, to.at), set(`${list}[${n}].facing`, to.facing)] : [];
  });
}
