import { expect, test } from 'vitest';
import { theSide, withoutWhen } from './names';

test('turn and phase are not said twice', () => {
  expect(withoutWhen('Turn 1, bombardment, the Allies: which guns fire?', 1, 'bombardment')).toBe('The Allies: which guns fire?');
  expect(withoutWhen('Turn 12: roll for the initiative.', 12, 'Initiative')).toBe('Roll for the initiative.');
  // Another turn or phase than the one beside it is left where it is.
  expect(withoutWhen('Turn 12: roll.', 1, '')).toBe('Turn 12: roll.');
  expect(withoutWhen('Turn 2, combat, the French: next?', 2, 'morale')).toBe('Combat, the French: next?');
  expect(withoutWhen('French: give an order.', 1, 'Orders')).toBe('French: give an order.');
  expect(withoutWhen('Turn it round?', null, '')).toBe('Turn it round?');
});

test('a side has its article within a sentence, unless it is somebody’s', () => {
  expect([theSide('French'), theSide('The French'), theSide("Graham's division")]).toEqual(['the French', 'the French', "Graham's division"]);
  expect([theSide('The French', 'de'), theSide("Graham's division", 'fr')]).toEqual(['French', "Graham's division"]);
});
