/** Standing instructions: what a side lets pass without being asked. */

import type { Measure } from '../protocol/Measure';
import type { Standing } from '../protocol/Standing';
import { t } from '../strings';
import { length } from './measure';

export const EVERYTHING: Standing = { kind: null, reactor: null, mover: null, unless_within: null, unless_touched: null, until: 'battle' };

const same = (a: Standing, b: Standing) =>
  a.kind === b.kind && a.reactor === b.reactor && a.mover === b.mover && a.unless_within === b.unless_within && a.unless_touched === b.unless_touched && a.until === b.until;

/** The list with one more instruction, unless it is there already. */
export const withOne = (list: Standing[], one: Standing) => (list.some((other) => same(other, one)) ? list : [...list, one]);

/** An instruction as a sentence. */
export function inWords(one: Standing, nameOf: (token: string) => string, measure: Measure): string {
  const parts = [one.kind ? t.standing.kind(one.kind) : t.standing.anything];
  if (one.mover) parts.push(t.standing.mover(nameOf(one.mover)));
  if (one.reactor) parts.push(t.standing.reactor(nameOf(one.reactor)));
  if (one.unless_within !== null) parts.push(t.standing.unless(length(one.unless_within, measure)));
  if (one.unless_touched) parts.push(t.standing.untouched(nameOf(one.unless_touched)));
  if (one.until !== 'battle') parts.push(one.until === 'phase' ? t.standing.forPhase : t.standing.forTurn);
  return `${parts.join(' ')}.`;
}
