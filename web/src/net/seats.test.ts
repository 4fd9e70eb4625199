import { beforeEach, describe, expect, test } from 'vitest';
import { heldBattle, heldBattles, holdLink, holdMade, letGo } from './seats';

/** As much of a browser's storage as is used. */
class Memory implements Storage {
  private readonly kept = new Map<string, string>();
  readonly length = 0;
  key = () => null;
  clear = () => this.kept.clear();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => void this.kept.set(key, value);
  removeItem = (key: string) => void this.kept.delete(key);
}

const made = { id: 'x1', secrets: { a: 'aa', b: 'bb', umpire: 'cc', spectator: 'dd', players: [] }, proved: null, inherited: 0 };

describe('seats', () => {
  let storage: Memory;
  beforeEach(() => (storage = new Memory()));

  test('of persons are taken by whoever makes the battle', () => {
    expect(holdMade(made, { a: 'person', b: 'person' }, null, storage).using).toEqual(['aa', 'bb']);
    expect(holdMade(made, { a: 'recruit', b: 'person' }, null, storage).using).toEqual(['bb']);
    expect(holdMade(made, { a: 'recruit', b: 'recruit' }, null, storage).using).toEqual(['dd']);
    expect(heldBattles(storage)).toHaveLength(1);
  });

  test('come with a link, beside those held already', () => {
    expect(holdLink('x2', '#seat=0a', storage)?.using).toEqual(['0a']);
    expect(holdLink('x2', '#seat=0b', storage)?.using).toEqual(['0a', '0b']);
    expect(holdLink('x2', '', storage)?.using).toEqual(['0a', '0b']);
    expect(holdLink('x3', '#seat=<script>', storage)).toBeNull();
  });

  test('can be forgotten, and rubbish in the storage is no harm', () => {
    holdMade(made, { a: 'person', b: 'person' }, null, storage);
    letGo('x1', storage);
    expect(heldBattle('x1', storage)).toBeNull();
    storage.setItem('sabretache.seats', '{not json');
    expect(heldBattles(storage)).toEqual([]);
  });
});
