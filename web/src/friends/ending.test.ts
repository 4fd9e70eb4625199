import { expect, test } from 'vitest';
import { whyNot } from './api';
import { endingOf } from './ending';
import { NotDone } from '../net/api';

const names = { A: 'Anna', B: 'Prussians' };

test('an ending is told with names, and what a book says of it is left as it is', () => {
  const told = (sentence: string) => endingOf(sentence, (side) => names[side]);
  expect(told('Side A has given the battle up.')).toBe('Anna gave the battle up.');
  expect(told('Side B has no time left.')).toBe('Prussians ran out of time.');
  expect(told('Drawn by agreement.')).toBe('Drawn by agreement.');
  expect(told('The French hold the hill.')).toBe('The French hold the hill.');
});

test('what the server says in half a sentence is told in a whole one', () => {
  const why = (text: string) => whyNot(new NotDone(403, { why: text, diagnostics: [] }), 'otherwise');
  expect(why('the invitation is wrong')).toBe('The invitation is wrong.');
  expect(why('Enough?')).toBe('Enough?');
  expect(whyNot(new Error('no network'), 'otherwise')).toBe('otherwise');
});
