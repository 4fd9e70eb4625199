import { describe, expect, it } from 'vitest';
import { bendOf, middleOf } from './errands.svelte';

describe('an arrow', () => {
  it('is straight where the hand only trembled', () => {
    expect(bendOf([{ x: 0, y: 0 }, { x: 50, y: 6 }, { x: 100, y: 0 }])).toBeNull();
    expect(bendOf([{ x: 0, y: 0 }])).toBeNull();
    expect(bendOf([])).toBeNull();
  });

  it('goes by the place where the hand went furthest aside', () => {
    expect(bendOf([{ x: 0, y: 0 }, { x: 20, y: 30.4 }, { x: 60, y: 20 }, { x: 100, y: 0 }])).toEqual({ x: 20, y: 30 });
  });

  it('begins in the middle of a command', () => {
    expect(middleOf([{ x: 0, y: 0 }, { x: 10, y: 4 }])).toEqual({ x: 5, y: 2 });
    expect(middleOf([])).toBeNull();
  });
});
