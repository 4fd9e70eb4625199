/** A form for a situation, read off its JSON Schema: what the books' tests depend on, with no knowledge of any book. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The part of JSON Schema that situations are written in. */
export interface Schema {
  description?: string;
  type?: string | string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  default?: Json;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  clauses?: string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

export interface Option {
  value: string;
  label: string;
}

/** What can be filled in, and how. */
export type Field =
  | { kind: 'switch' }
  | { kind: 'number'; least: number; most: number; whole: boolean; optional: boolean }
  | { kind: 'one'; options: Option[]; optional: boolean }
  | { kind: 'group'; parts: Part[] }
  | { kind: 'list'; item: Field; least: number; first: Json }
  | { kind: 'case'; cases: Case[] };

/** A named part of a situation. */
export interface Part {
  name: string;
  label: string;
  clauses: string[];
  field: Field;
  first: Json;
}

/** One of several forms that a part may take: told by a tag among its parts, by its only key, or by a bare word. */
export interface Case {
  id: string;
  label: string;
  parts: Part[];
  /** A value of this form with these parts. */
  make: (parts: Record<string, Json>) => Json;
  /** The parts of a value, if it has this form. */
  read: (value: Json) => Record<string, Json> | null;
}

/** As a label: without the full stop, in one line. */
export const plain = (text: string | undefined, otherwise = ''): string => (text ?? otherwise).replace(/\s+/g, ' ').replace(/\.$/, '').trim();

/** A name from a file in words: `short_of_powder` becomes "Short of powder". */
export const words = (name: string): string => {
  const text = name.replace(/[_-]+/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A word of the book first, since that is what one looks for, and then what it means: "Line: all stands abreast". */
export function named(word: string, description?: string): string {
  const [name, meaning] = [words(word), plain(description)];
  const said = meaning.toLowerCase();
  if (!said || said.includes(name.toLowerCase())) return meaning || name;
  return `${name}: ${/^.[A-Z]/.test(meaning) ? meaning : meaning.charAt(0).toLowerCase() + meaning.slice(1)}`;
}

const isTable = (value: Json | undefined): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The form of a test's situation. */
export function formOf(schema: Schema): Field {
  const defs = schema.$defs ?? {};
  return read(schema, defs, 0);
}

/** Deeper than any situation of a book; a schema that refers to itself ends here. */
const DEEPEST = 12;

function resolved(schema: Schema, defs: Record<string, Schema>): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const found = name === undefined ? undefined : defs[name];
  return found ? { ...found, ...schema } : schema;
}

function read(given: Schema, defs: Record<string, Schema>, depth: number): Field {
  const schema = resolved(given, defs);
  if (depth > DEEPEST) return { kind: 'group', parts: [] };
  const types = Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
  const optional = types.includes('null');
  if (schema.anyOf) {
    const some = schema.anyOf.filter((one) => one.type !== 'null');
    const inner: Field = some[0] ? read(some[0], defs, depth + 1) : { kind: 'switch' };
    if (inner.kind === 'one' || inner.kind === 'number') return { ...inner, optional: some.length < schema.anyOf.length };
    if (some.length === schema.anyOf.length || inner.kind === 'switch' || inner.kind === 'list') return inner;
    // A part that may be wanting altogether is a case of its own, and the first.
    return { kind: 'case', cases: [NOTHING, ...(inner.kind === 'case' ? inner.cases : [present(inner.parts)])] };
  }
  if (schema.oneOf) {
    const all = schema.oneOf.map((one) => resolved(one, defs));
    if (all.every((one) => one.const !== undefined)) {
      return { kind: 'one', options: all.map((one) => ({ value: one.const ?? '', label: named(one.const ?? '', one.description) })), optional: false };
    }
    return { kind: 'case', cases: all.map((one) => caseOf(one, defs, depth)) };
  }
  if (types.includes('boolean')) return { kind: 'switch' };
  if (types.includes('integer') || types.includes('number')) {
    return { kind: 'number', least: schema.minimum ?? 0, most: schema.maximum ?? 1000, whole: types.includes('integer'), optional };
  }
  if (types.includes('array')) {
    const item = read(schema.items ?? {}, defs, depth + 1);
    return { kind: 'list', item, least: schema.minItems ?? 0, first: initial(item, schema.items?.default) };
  }
  return { kind: 'group', parts: partsOf(schema, defs, depth) };
}

/** A part that is not there; what it is called, the page says. */
const NOTHING: Case = { id: '', label: '', parts: [], make: () => null, read: (value) => (value === null ? {} : null) };

/** A part that may be wanting, and is there. */
const present = (parts: Part[]): Case => ({ id: 'given', label: '', parts, make: (values) => ({ ...values }), read: (value) => (isTable(value) ? value : null) });

function partsOf(schema: Schema, defs: Record<string, Schema>, depth: number): Part[] {
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const field = read(given, defs, depth + 1);
    const own = resolved(given, defs);
    return { name, label: plain(given.description ?? own.description, words(name)), clauses: given.clauses ?? [], field, first: initial(field, given.default) };
  });
}

function caseOf(schema: Schema, defs: Record<string, Schema>, depth: number): Case {
  const word = schema.const;
  if (word !== undefined) {
    return { id: word, label: plain(schema.description, words(word)), parts: [], make: () => word, read: (value) => (value === word ? {} : null) };
  }
  const tag = Object.entries(schema.properties ?? {}).find(([, one]) => one.const !== undefined);
  const parts = partsOf(schema, defs, depth).filter((part) => part.name !== tag?.[0]);
  const label = plain(schema.description, words(tag?.[1].const ?? Object.keys(schema.properties ?? {})[0] ?? ''));
  if (tag) {
    const [key, { const: named = '' }] = tag;
    const make = (values: Record<string, Json>): Json => ({ [key]: named, ...values });
    return { id: named, label, parts, make, read: (value) => (isTable(value) && value[key] === named ? value : null) };
  }
  const only = parts[0]?.name ?? '';
  return { id: only, label, parts, make: (values) => ({ ...values }), read: (value) => (isTable(value) && only in value ? value : null) };
}

/** What a field holds before anybody has touched it: the book's default, or the least there is. */
export function initial(field: Field, given?: Json): Json {
  switch (field.kind) {
    case 'switch':
      return given ?? false;
    case 'number':
      return given ?? (field.optional ? null : field.least);
    case 'one':
      return given ?? (field.optional ? null : (field.options[0]?.value ?? null));
    case 'list': {
      const list = Array.isArray(given) ? [...given] : [];
      while (list.length < field.least) list.push(structuredClone(field.first));
      return list;
    }
    case 'case': {
      const [first] = field.cases;
      return given ?? (first ? first.make(filled(first.parts)) : null);
    }
    case 'group': {
      const own = isTable(given) ? given : {};
      return Object.fromEntries(field.parts.map((part) => [part.name, own[part.name] ?? structuredClone(part.first)]));
    }
  }
}

/** The parts of a case or group, each as it begins. */
export const filled = (parts: Part[]): Record<string, Json> => Object.fromEntries(parts.map((part) => [part.name, structuredClone(part.first)]));

/** What is sent: a part that is left open is left out. */
export function sent(value: Json): Json {
  if (Array.isArray(value)) return value.map(sent);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, sent(one)]])));
}

/** The parts of an outcome that say something, in words: `{ staggers: 2, routs: false }` is "Staggers: 2". */
export function told(fields: Json): string[] {
  if (!isTable(fields)) return [];
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === false || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    if (value === true) return [words(name)];
    if (Array.isArray(value)) return [`${words(name)}: ${value.map((one) => (isTable(one) ? told(one).join(', ') : String(one))).join('; ')}`];
    if (isTable(value)) {
      const inner = told(value);
      return inner.length > 0 ? [`${words(name)}: ${inner.join(', ')}`] : [];
    }
    return [`${words(name)}: ${typeof value === 'string' ? words(value).toLowerCase() : String(value)}`];
  });
}
