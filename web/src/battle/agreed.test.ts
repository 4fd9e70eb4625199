import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chain, deceived, secretOf } from './agreed';

const hash = (text: string) => createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex');

class Shelf {
  private readonly all = new Map<string, string>();
  getItem = (key: string) => this.all.get(key) ?? null;
  setItem = (key: string, value: string) => void this.all.set(key, value);
}

describe('agreed dice', () => {
  it('are found out when a choice was changed after the secrets were revealed', () => {
    const line = (bound: string) => JSON.stringify({ entry: { chosen: { offer: 'fire', reveals: { a: '00' }, bound } }, hash: '' });
    expect(deceived([line('aa')], 'aa')).toBe(false);
    expect(deceived(['', JSON.stringify({ entry: { chosen: { offer: 'pass' } } }), line('bb')], 'aa')).toBe(true);
  });

  it('need nothing of the browser that only safe connections have', () => {
    const own = globalThis.crypto;
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
    try {
      expect(chain('ab'.repeat(32), 1)[1]).toBe(hash('ab'.repeat(32)));
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: own, configurable: true });
    }
  });

  it('are a chain of which each link is the hash of the next', () => {
    const links = chain('ab'.repeat(32), 5);
    expect(links).toHaveLength(6);
    for (let n = 0; n < 5; n++) expect(links[n]).toBe(hash(links[n + 1] ?? ''));
    expect(links[5]).toBe(hash('ab'.repeat(32)));
  });

  it('come from a secret that is made once and kept', () => {
    const shelf = new Shelf() as unknown as Storage;
    expect(secretOf('x', 'A', false, shelf)).toBeNull();
    const secret = secretOf('x', 'A', true, shelf);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(secretOf('x', 'A', true, shelf)).toBe(secret);
    expect(secretOf('x', 'B', true, shelf)).not.toBe(secret);
    expect(secretOf('x', 'A', false, shelf)).toBe(secret);
  });
});
