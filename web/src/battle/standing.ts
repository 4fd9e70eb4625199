/** Standing instructions: what a side lets pass without being asked. */

import type { Measure } from '../protocol/Measure';
import type { Standing } from '../protocol/Standing';
import { t } from '../strings';
import { length } from './measure';

export const EVERYTHING: Standing = { kind: null, reactor: null, mover: null, unless_within: null };

const same = (a: Standing, b: Standing) =>
  a.kind === b.kind && a.reactor === b.reactor && a.mover === b.mover && a.unless_within === b.unless_within;

/** Whether a side lets everything pass, whatever it is. */
export const passesAll = (list: Standing[]) => list.some((one) => same(one, EVERYTHING));

/** The list with "everything" put in or taken out; what else stands there stays. */
export function withAll(list: Standing[], all: boolean): Standing[] {
  const others = list.filter((one) => !same(one, EVERYTHING));
  return all ? [EVERYTHING, ...others] : others;
}

/** The list with one more instruction, unless it is there already. */
export const withOne = (list: Standing[], one: Standing) => (list.some((other) => same(other, one)) ? list : [...list, one]);

/** An instruction as a sentence. */
export function inWords(one: Standing, nameOf: (token: string) => string, measure: Measure): string {
  const parts = [one.kind ? t.standing.kind(one.kind) : t.standing.anything];
  if (one.mover) parts.push(t.standing.mover(nameOf(one.mover)));
  if (one.reactor) parts.push(t.standing.reactor(nameOf(one.reactor)));
  if (one.unless_within !== null) parts.push(t.standing.unless(length(one.unless_within, measure)));
  return `${parts.join(' ')}.`;
}
