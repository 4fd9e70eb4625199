/** Rosters as tables: pasted from a spreadsheet, read with a mapping that is remembered, and written again. */

import type { Json } from '../companion/form';
import { valueAt, type Table } from './document';
import { shown, typed, withField, type Cell } from './schema';

/** Rows of a table in commas, semicolons or tabs, with quotes where they are needed. */
export function rowsOf(text: string): string[][] {
  const head = text.slice(0, text.search(/\r?\n|$/));
  const mark = ['\t', ';', ','].find((one) => head.includes(one)) ?? ',';
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], '', false];
  for (let n = 0; n < text.length; n += 1) {
    const letter = text[n] ?? '';
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[n + 1] === '"') {
        cell += '"';
        n += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === mark) {
      row.push(cell.trim());
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[n + 1] === '\n') n += 1;
      row.push(cell.trim());
      rows.push(row);
      [row, cell] = [[], ''];
    } else cell += letter;
  }
  row.push(cell.trim());
  rows.push(row);
  return rows.filter((one) => one.some((part) => part !== ''));
}

/** What each column of a table goes to; nothing where it is left out. */
export type Mapping = Record<string, string>;

const plainly = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** The mapping that was used before, and where there was none, fields of the same name. */
export function guessed(heads: string[], cells: Cell[], before: Mapping, command: string): Mapping {
  const known: Record<string, string> = { unit: 'name', name: 'name', command, brigade: command, division: command, strength: 'stands', figures: 'start', men: 'start', facing: 'facing' };
  const paths = cells.map(({ path }) => path);
  const meant = (head: string) => {
    const same = paths.find((path) => plainly(path) === plainly(head) || plainly(path.split('.').at(-1) ?? '') === plainly(head));
    const usual = known[plainly(head)];
    return same ?? (usual !== undefined && paths.includes(usual) ? usual : '');
  };
  return Object.fromEntries(heads.map((head) => [head, before[head] ?? meant(head)]));
}

/** The items that the rows stand for. */
export function itemsOf(rows: string[][], heads: string[], mapping: Mapping, cells: Cell[]): Table[] {
  return rows.map((row) =>
    heads.reduce<Table>((item, head, n) => {
      const cell = cells.find(({ path }) => path === mapping[head]);
      const value: Json = cell ? typed(cell, row[n] ?? '') : null;
      return cell && value !== null ? withField(item, cell.path, value) : item;
    }, {}),
  );
}

const quotedCell = (text: string) => (/[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table of items, with the fields as heads. */
export function written(items: Table[], cells: Cell[]): string {
  const used = cells.filter(({ path }) => items.some((item) => valueAt(item, path) !== undefined));
  const lines = [used.map(({ path }) => path), ...items.map((item) => used.map(({ path }) => shown(valueAt(item, path))))];
  return lines.map((line) => line.map(quotedCell).join(',')).join('\n') + '\n';
}

const KEY = 'sabretache.workshop.mapping';

export function rememberedMapping(ruleset: string, storage: Storage = localStorage): Mapping {
  try {
    const all: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof all === 'object' && all !== null ? ((all as Record<string, Mapping>)[ruleset] ?? {}) : {};
  } catch {
    return {};
  }
}

export function rememberMapping(ruleset: string, mapping: Mapping, storage: Storage = localStorage) {
  let all: Record<string, Mapping> = {};
  try {
    all = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, Mapping>;
  } catch {
    // What cannot be read is begun anew.
  }
  storage.setItem(KEY, JSON.stringify({ ...all, [ruleset]: { ...all[ruleset], ...mapping } }));
}
