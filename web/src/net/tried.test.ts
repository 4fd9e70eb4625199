import { describe, expect, it } from 'vitest';
import { keepTried, tried } from './tried';

function storage(first: string | null = null): Storage {
  let kept = first;
  return { getItem: () => kept, setItem: (_: string, text: string) => void (kept = text) } as unknown as Storage;
}

describe('exercises', () => {
  it('stay done once they were', () => {
    const kept = storage();
    keepTried('a', false, kept);
    keepTried('b', true, kept);
    keepTried('b', false, kept);
    expect(tried(kept)).toEqual({ a: false, b: true });
  });

  it('are none where something else was kept', () => {
    expect(tried(storage('['))).toEqual({});
    expect(tried(storage('[1]'))).toEqual({});
  });
});
