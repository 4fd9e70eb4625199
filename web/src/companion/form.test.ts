import { describe, expect, test } from 'vitest';
import { formOf, initial, named, sent, told, type Schema } from './form';

const schema: Schema = {
  $defs: {
    Arm: { oneOf: [{ const: 'foot', description: 'Infantry.' }, { const: 'horse', description: 'Cavalry.' }] },
    Fighter: { type: 'object', properties: { bases: { type: 'integer', minimum: 1, maximum: 8 }, arm: { $ref: '#/$defs/Arm', default: 'horse' } } },
    Shooter: {
      oneOf: [
        { type: 'object', description: 'Muskets.', properties: { with: { type: 'string', const: 'muskets' }, figures: { type: 'integer', minimum: 0 } } },
        { type: 'object', description: 'Guns.', properties: { with: { type: 'string', const: 'guns' }, models: { type: 'integer', minimum: 1 } } },
      ],
    },
    Neighbour: { oneOf: [{ type: 'object', properties: { routs: { $ref: '#/$defs/Arm' } } }, { const: 'general-falls', description: 'The general falls.' }] },
  },
  type: 'object',
  properties: {
    routing: { type: 'boolean', description: 'It is\nrouting.', default: false, clauses: ['HZ-THR-08'] },
    general: { type: ['integer', 'null'], minimum: 0, maximum: 2 },
    nation: { anyOf: [{ $ref: '#/$defs/Arm' }, { type: 'null' }] },
    fighters: { type: 'array', items: { $ref: '#/$defs/Fighter' }, minItems: 1, default: [] },
    shooter: { $ref: '#/$defs/Shooter' },
    near: { $ref: '#/$defs/Neighbour' },
    bombarded: { anyOf: [{ $ref: '#/$defs/Fighter' }, { type: 'null' }], default: null },
  },
};

describe('a form read off a schema', () => {
  const form = formOf(schema);

  test('begins with what the book takes for granted, and the least where it says nothing', () => {
    expect(initial(form)).toEqual({
      routing: false,
      general: null,
      nation: null,
      fighters: [{ bases: 1, arm: 'horse' }],
      shooter: { with: 'muskets', figures: 0 },
      near: { routs: 'foot' },
      bombarded: null,
    });
  });

  test('names a choice by the word of the book, and says what it means', () => {
    expect(named('march_column', 'Thin and long; limbered guns.')).toBe('March column: thin and long; limbered guns');
    expect(named('veteran', 'Veterans.')).toBe('Veterans');
    expect(named('square')).toBe('Square');
  });

  test('leaves out what is left open', () => {
    expect(sent(initial(form))).toEqual({ routing: false, fighters: [{ bases: 1, arm: 'horse' }], shooter: { with: 'muskets', figures: 0 }, near: { routs: 'foot' } });
  });

  test('speaks in the words of the schema', () => {
    const part = form.kind === 'group' ? form.parts[0] : undefined;
    expect(part).toMatchObject({ label: 'It is routing', clauses: ['HZ-THR-08'], field: { kind: 'switch' } });
  });

  test('tells the forms that a part may take apart, by tag, by key or by a bare word', () => {
    const cases = (name: string) => {
      const field = form.kind === 'group' ? form.parts.find((part) => part.name === name)?.field : undefined;
      return field?.kind === 'case' ? field.cases : [];
    };
    const found = (name: string, value: Parameters<typeof sent>[0]) => cases(name).findIndex((one) => one.read(value) !== null);
    expect(found('shooter', { with: 'guns', models: 2 })).toBe(1);
    expect(found('near', { routs: 'horse' })).toBe(0);
    expect(found('near', 'general-falls')).toBe(1);
    // A part that may be wanting is wanting until it is asked for.
    expect(found('bombarded', null)).toBe(0);
    expect(found('bombarded', { bases: 1, arm: 'horse' })).toBe(1);
  });
});

test('an outcome is told without what did not happen', () => {
  expect(told({ staggers: 2, routs: false, kills: 0, forced_order: 'retire', holds: true, left: [{ id: 1, lost: 2 }] })).toEqual(['Staggers: 2', 'Forced order: retire', 'Holds', 'Left: Id: 1, Lost: 2']);
});
