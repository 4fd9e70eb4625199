import { expect, test } from 'vitest';
import { claimFor, hasClaimed, invitationTo, keepInvitation, keepName, ownName } from './keep';
import { agoOf, spanOf } from './time';

class Shelf implements Storage {
  private readonly kept = new Map<string, string>();
  get length() {
    return this.kept.size;
  }
  clear = () => this.kept.clear();
  getItem = (key: string) => this.kept.get(key) ?? null;
  key = (n: number) => [...this.kept.keys()][n] ?? null;
  removeItem = (key: string) => void this.kept.delete(key);
  setItem = (key: string, value: string) => void this.kept.set(key, value);
}

test('a name and an invitation are kept, and the invitation goes when somebody has come', () => {
  const shelf = new Shelf();
  expect(ownName(shelf)).toBe('');
  keepName('  Anna ', shelf);
  expect(ownName(shelf)).toBe('Anna');
  keepInvitation('b1', 'token', shelf);
  expect(invitationTo('b1', shelf)).toBe('token');
  keepInvitation('b1', null, shelf);
  expect(invitationTo('b1', shelf)).toBeNull();
  shelf.setItem('sabretache.invitations', 'garbled');
  expect(invitationTo('b1', shelf)).toBeNull();
});

test('a span is told in its two largest units, and what is over is nothing', () => {
  expect(spanOf(0)).toBe('0:00');
  expect(spanOf(-5_000)).toBe('0:00');
  expect(spanOf(61_000)).toBe('1:01');
  expect(spanOf(3_600_000 * 5 + 60_000 * 7)).toBe('5 hr 7 min');
  expect(spanOf(86_400_000 * 2 + 3_600_000 * 3)).toBe('2 days 3 hr');
  expect(spanOf(86_400_000 * 2 + 3_600_000 * 3, 'de')).toBe('2 Tg. 3 Std.');
  expect(spanOf(86_400_000 + 3_600_000 * 3, 'fr')).toMatch(/^1\sj 3\sh$/);
});

test('since when is told by the largest unit', () => {
  expect(agoOf(20_000, 'en')).toMatch(/now/);
  expect(agoOf(5 * 60_000, 'en')).toMatch(/5 min/);
  expect(agoOf(3 * 3_600_000, 'en')).toMatch(/3 hr/);
  expect(agoOf(50 * 3_600_000, 'en')).toMatch(/2 day/);
});

test('a seat is asked for with the same word each time, and with another for another battle', () => {
  const shelf = new Shelf();
  expect(hasClaimed('b1', shelf)).toBe(false);
  const word = claimFor('b1', shelf);
  expect(word).toMatch(/^[0-9a-f]{40}$/);
  expect([claimFor('b1', shelf), hasClaimed('b1', shelf)]).toEqual([word, true]);
  expect(claimFor('b2', shelf)).not.toBe(word);
  shelf.setItem('sabretache.claims', 'garbled');
  expect(claimFor('b1', shelf)).not.toBe(word);
});
