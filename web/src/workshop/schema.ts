/** What can be filled in for an item of a list, read off the book's schema. */

import { plain, type Json, type Schema } from '../companion/form';
import { isTable, valueAt, type Table } from './document';

export interface Cell {
  /** `quality`, or `abilities.skirmish` for what stands in a table of its own. */
  path: string;
  label: string;
  kind: 'text' | 'number' | 'switch' | 'word' | 'other';
  words: { value: string; label: string }[];
  needed: boolean;
}

type Root = Schema & { $defs?: Record<string, Schema> };

/** What is said of a field says more than what is said of its type. */
const described = (type: Schema, field: Schema): Schema => (field.description === undefined ? type : { ...type, description: field.description });

function resolved(given: Schema, root: Root): Schema {
  const name = given.$ref?.replace('#/$defs/', '');
  const found = name === undefined ? undefined : root.$defs?.[name];
  if (found) return resolved(described(found, given), root);
  const some = given.anyOf?.find((one) => one.type !== 'null');
  return some ? resolved(described(some, given), root) : given;
}

const typesOf = (schema: Schema) => (Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : []);

/** The schema of the items of a list such as `units` or `victory.objectives`. */
export function itemSchema(root: Root, list: string): Schema | null {
  let here: Schema = root;
  for (const key of list.split('.')) {
    const next = resolved(here, root).properties?.[key];
    if (!next) return null;
    here = resolved(next, root);
  }
  return here.items ? resolved(here.items, root) : null;
}

function cellOf(path: string, given: Schema, root: Root, needed: boolean): Cell[] {
  const schema = resolved(given, root);
  const label = plain(given.description ?? schema.description, path);
  const types = typesOf(schema);
  const one = (kind: Cell['kind'], words: Cell['words'] = []): Cell[] => [{ path, label, kind, words, needed }];
  const listed = (schema as { enum?: string[] }).enum;
  if (listed) return one('word', listed.map((value) => ({ value, label: value.replace(/_/g, ' ') })));
  if (schema.oneOf?.every((part) => part.const !== undefined || (part as { enum?: string[] }).enum)) {
    const words = schema.oneOf.flatMap((part) => (part.const === undefined ? ((part as { enum?: string[] }).enum ?? []) : [part.const]));
    return one('word', words.map((value) => ({ value, label: value.replace(/_/g, ' ') })));
  }
  if (types.includes('boolean')) return one('switch');
  if (types.includes('integer') || types.includes('number')) return one('number');
  if (types.includes('string')) return one('text');
  if (types.includes('object') && schema.properties && !path.includes('.')) {
    return Object.entries(schema.properties).flatMap(([key, inner]) => cellOf(`${path}.${key}`, inner, root, false).filter(({ kind }) => kind !== 'other'));
  }
  return one('other');
}

/** Every field of the items of a list, in the order of the book. */
export function cellsOf(root: Root, list: string): Cell[] {
  const item = itemSchema(root, list);
  if (!item) return [];
  const forms = (item.oneOf ?? []).map((form) => resolved(form, root).properties ?? {});
  const own = Object.assign({}, item.properties, ...forms) as Record<string, Schema>;
  return Object.entries(own).flatMap(([key, given]) => cellOf(key, given, root, item.required?.includes(key) ?? false));
}

/** The fields that are worth a column: those needed, and those that some item has. */
export function columnsOf(cells: Cell[], items: Table[], without: string[]): Cell[] {
  const used = (path: string) => items.some((item) => valueAt(item, path) !== undefined);
  return cells.filter(({ path, kind, needed }) => kind !== 'other' && !without.includes(path) && (needed || used(path)));
}

/** A value as a person typed it; nothing to leave it out. */
export function typed(cell: Cell, text: string): Json {
  if (text.trim() === '') return null;
  if (cell.kind === 'number') {
    const number = Number(text.replace(',', '.'));
    return Number.isFinite(number) ? number : text;
  }
  if (cell.kind === 'switch') return /^(true|yes|y|1|x|ja|j|oui|o)$/i.test(text.trim());
  if (cell.kind === 'word') {
    const plainly = (one: string) => one.toLowerCase().replace(/[\s_-]+/g, ' ').trim();
    return cell.words.find(({ value }) => plainly(value) === plainly(text))?.value ?? text;
  }
  if (cell.kind === 'other') {
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  }
  return text;
}

export const shown = (value: Json | undefined): string => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The edits that put a value into a field; the table that it stands in is made or taken away with it. */
export function withField(item: Table, path: string, to: Json): Table {
  const [first = '', second] = path.split('.');
  if (second === undefined) return { ...item, [first]: to };
  const inner = isTable(item[first]) ? (item[first] as Table) : {};
  return { ...item, [first]: { ...inner, [second]: to } };
}
