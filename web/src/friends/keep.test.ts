import { expect, test } from 'vitest';
import { invitationTo, keepInvitation, keepName, ownName } from './keep';
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
  expect(spanOf(3_600_000 * 5 + 60_000 * 7)).toBe('5 h 07');
  expect(spanOf(86_400_000 * 2 + 3_600_000 * 3)).toBe('2 d 3 h');
});

test('since when is told by the largest unit', () => {
  expect(agoOf(20_000, 'en')).toMatch(/now/);
  expect(agoOf(5 * 60_000, 'en')).toMatch(/5 min/);
  expect(agoOf(3 * 3_600_000, 'en')).toMatch(/3 hr/);
  expect(agoOf(50 * 3_600_000, 'en')).toMatch(/2 day/);
});
