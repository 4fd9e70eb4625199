import { expect, test } from 'vitest';
import { dated } from './dates';

test('a day is written as each language writes it', () => {
  expect(dated('4 July 1806', 'de')).toBe('4. Juli 1806');
  expect(dated('21 August 1808', 'fr')).toBe('21 août 1808');
  expect(dated('4 July 1806', 'en')).toBe('4 July 1806');
});

test('what else is said of it stays', () => {
  expect(dated('23 May 1706, Whit Sunday', 'de')).toBe('23. Mai 1706, Whit Sunday');
  expect(dated('Spring 1811', 'fr')).toBe('Spring 1811');
});
