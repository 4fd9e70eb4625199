/** The course of a battle, as the server tells it, made ready to be drawn. */

import type { Course } from '../protocol/Course';
import type { Side } from '../protocol/Side';

/** What strength is counted in. */
export const COUNTED = ['stands', 'units', 'points'] as const;
export type Counted = (typeof COUNTED)[number];

/** What can be counted here: not every ruleset weighs its units. */
export const countable = ({ commands }: Course): Counted[] => COUNTED.filter((by) => commands.some((one) => one[by] !== 0));

export interface Row {
  name: string | null;
  side: Side;
  /** What it had. */
  had: number;
  /** What it lost in each turn. */
  cells: number[];
  /** In all. */
  lost: number;
}

/** What each command lost, turn by turn, for those turns in which anything was lost. */
export function byTurn({ commands }: Course, by: Counted): { turns: (number | null)[]; rows: Row[] } {
  const turns = [...new Set(commands.flatMap(({ lost }) => lost.map(({ turn }) => turn)))].sort((a, b) => (a ?? 0) - (b ?? 0));
  const rows = commands.map(({ name, side, lost, ...had }) => {
    const cells = turns.map((turn) => lost.find((other) => other.turn === turn)?.[by] ?? 0);
    return { name, side, had: had[by], cells, lost: cells.reduce((all, one) => all + one, 0) };
  });
  return { turns, rows };
}

/** How much the dice brought side A in chances of winning, against what they were to be expected to; nothing where no book weighs them. */
export function luckInChances({ moments }: Course): number | null {
  const known = moments.flatMap(({ luck }) => (luck === null ? [] : [luck]));
  return known.length > 0 ? known.reduce((all, one) => all + one, 0) : null;
}

/** A line of steps through values, in a box. */
export function plot(values: number[], width: number, height: number, least: number, most: number): string {
  return values
    .map((value, i) => {
      const x = (i / Math.max(1, values.length - 1)) * width;
      const y = height - ((value - least) / Math.max(1, most - least)) * height;
      return i === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
    })
    .join('');
}
