/** The course of a battle, read off the table at many moments. */

import type { Side } from '../protocol/Side';
import type { View } from '../protocol/View';

export interface Sample {
  moment: number;
  turn: number | null;
  a: number;
  b: number;
}

/** Every moment of a short battle; of a long one as many as are worth looking at, the first and last among them. */
export function moments(last: number, most = 60): number[] {
  if (last <= most) return Array.from({ length: last }, (_, i) => i + 1);
  return Array.from({ length: most }, (_, i) => Math.round(1 + (i * (last - 1)) / (most - 1)));
}

const onTable = (view: View, side: Side) => view.units.filter((unit) => unit.side === side && unit.absent === null && unit.pose !== null).length;

export const sample = (view: View, moment: number): Sample => ({ moment, turn: view.turn, a: onTable(view, 'A'), b: onTable(view, 'B') });

/** The step at which the balance of what was left on both sides moved the most. */
export function turningPoint(samples: Sample[]): Sample | null {
  const first = samples[0];
  if (!first) return null;
  const balance = ({ a, b }: Sample) => a / Math.max(1, first.a) - b / Math.max(1, first.b);
  let best: Sample | null = null;
  let most = 0;
  for (let i = 1; i < samples.length; i++) {
    const [before, after] = [samples[i - 1], samples[i]];
    if (!before || !after) continue;
    const tipped = Math.abs(balance(after) - balance(before));
    if (tipped > most) [most, best] = [tipped, after];
  }
  return best;
}

export interface Losses {
  name: string;
  side: Side;
  lost: number;
  of: number;
}

/** What each command had and lost. Units under no command are counted together, by side. */
export function losses(first: View, last: View, noCommand: string): Losses[] {
  const gone = new Set(last.units.filter((unit) => unit.absent !== null).map(({ id }) => id));
  const groups = [...first.commands.map(({ id, name, side }) => ({ id: id as string | null, name, side }))];
  for (const side of first.setting.sides) groups.push({ id: null, name: noCommand, side: side.side });
  return groups.flatMap(({ id, name, side }) => {
    const units = first.units.filter((unit) => unit.side === side && unit.command === id);
    if (units.length === 0) return [];
    return [{ name, side, lost: units.filter((unit) => gone.has(unit.id)).length, of: units.length }];
  });
}

/** A step line through samples, in a box. */
export function plot(samples: Sample[], which: 'a' | 'b', width: number, height: number): string {
  const last = samples.at(-1)?.moment ?? 1;
  const most = Math.max(1, ...samples.flatMap(({ a, b }) => [a, b]));
  return samples
    .map((one, i) => {
      const x = ((one.moment - 1) / Math.max(1, last - 1)) * width;
      const y = height - (one[which] / most) * height;
      return i === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
    })
    .join('');
}
