import { describe, expect, it } from 'vitest';
import type { ExerciseEntry } from '../protocol/ExerciseEntry';
import { first, inOrder } from './exercises';

const one = (name: string, theme: string, beginner = true, ruleset = 'book'): ExerciseEntry => ({ name, theme, beginner, ruleset, title: name });

describe('the first evening', () => {
  const many = Array.from({ length: 12 }, (_, n) => one(`flank ${n}`, 'flank'));
  it('has ten of the book, every theme early', () => {
    const all = [...many, one('guns', 'guns'), one('hard', 'guns', false), one('other', 'guns', true, 'another')];
    const names = first(all, 'book').map(({ name }) => name);
    expect(names).toHaveLength(10);
    expect(names.slice(0, 2)).toEqual(['flank 0', 'guns']);
    expect(names).not.toContain('hard');
  });

  it('comes first, and everything else of the book after it', () => {
    expect(inOrder([one('hard', 'guns', false), one('easy', 'flank')], 'book').map(({ name }) => name)).toEqual(['easy', 'hard']);
  });
});
