/** What the other side did since one last chose freely: whence its units came. */

import { distance, type Pt } from '../map/geometry';
import type { Side } from '../protocol/Side';
import type { View } from '../protocol/View';

export interface Trail {
  unit: string;
  side: Side;
  from: Pt;
  to: Pt;
  /** The corners of its stands, where it stood. */
  stood: Pt[][];
}

/** So little is a dressing of ranks, and no move; in micrometres. */
const STIR = 8_000;

/** Those not of this side that stand elsewhere now. Those that came or went leave no trail. */
export function trailsOf(before: View, now: View, own: Side): Trail[] {
  const was = new Map(before.units.map((unit) => [unit.id as string, unit]));
  return now.units.flatMap(({ id, side, pose }) => {
    const old = was.get(id);
    if (side === own || !pose || !old?.pose || distance(old.pose.at, pose.at) < STIR) return [];
    return [{ unit: id, side, from: old.pose.at, to: pose.at, stood: old.stands }];
  });
}
