/** A scenario as the server reads it, and the edits that change it. Paths are written as diagnostics write them: `units[3].at`. */

import type { Json } from '../companion/form';
import type { Edit } from '../protocol/Edit';
import type { Rosters } from '../protocol/Rosters';
import type { Workpiece } from '../protocol/Workpiece';

export type Table = Record<string, Json>;
export type Finding = Workpiece['diagnostics'][number];

export const isTable = (value: Json | undefined): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `victory.objectives`. */
export function valueAt(document: Json | null, path: string): Json | undefined {
  let here: Json | undefined = document ?? undefined;
  for (const step of path.replace(/\[(\d+)\]/g, '.$1').split('.').filter(Boolean)) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isTable(here)) here = here[step];
    else return undefined;
  }
  return here;
}

/** The items of a list, as far as they are tables. */
export function listAt(document: Json | null, path: string): Table[] {
  const list = valueAt(document, path);
  return Array.isArray(list) ? list.map((one) => (isTable(one) ? one : {})) : [];
}

export const word = (of: Table | undefined, key: string): string => {
  const value = of?.[key];
  return typeof value === 'string' ? value : '';
};

export function pointOf(value: Json | undefined): [number, number] | null {
  if (!Array.isArray(value)) return null;
  const [x, y] = value;
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : null;
}

export const pointsOf = (value: Json | undefined): [number, number][] => (Array.isArray(value) ? value.flatMap((one) => (pointOf(one) ? [pointOf(one) as [number, number]] : [])) : []);

/** To a hundredth: what a hand can place. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

export const set = (path: string, to: Json): Edit => ({ do: 'set', path, to });
export const remove = (path: string): Edit => ({ do: 'remove', path });
export const add = (path: string, value: Json): Edit => ({ do: 'add', path, value });

/** Every id that something in the file has. */
export function idsOf(document: Json | null): Set<string> {
  const all = new Set<string>();
  for (const list of Object.values(isTable(document ?? undefined) ? (document as Table) : {})) {
    if (Array.isArray(list)) for (const item of list) if (isTable(item) && typeof item.id === 'string') all.add(item.id);
  }
  return all;
}

/** A short name without spaces that nothing has yet. */
export function freshId(from: string, taken: Set<string>): string {
  const plain = from.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'new';
  let id = plain;
  for (let n = 2; taken.has(id); n += 1) id = `${plain}-${n}`;
  taken.add(id);
  return id;
}

/** The side of a unit, officer or command, by the id that the file gives it. */
export function sideOf(document: Json | null, rosters: Rosters, list: string, item: Table): string {
  if (typeof item.side === 'string') return item.side;
  const key = list === rosters.units ? rosters.unit_command : rosters.officer_command;
  const command = key === null ? undefined : listAt(document, rosters.commands).find((one) => one.id === item[key]);
  return word(command, 'side');
}

/** The item that a path leads into: `units[3].at` is of the list `units`, number 3. */
export function itemOf(path: string): { list: string; n: number } | null {
  const found = /^([\w.]+?)\[(\d+)\]/.exec(path);
  return found?.[1] ? { list: found[1], n: Number(found[2]) } : null;
}
