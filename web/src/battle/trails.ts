/** What the other side did since one last chose freely: whence its units came. */

import { distance, type Pt } from '../map/geometry';
import type { Side } from '../protocol/Side';
import type { StoryLine } from '../protocol/StoryLine';
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

/** The moments at which one was asked to choose freely, in a battle: the last one, and the one before it. */
interface Asked {
  at: number;
  before: number | null;
}

const KEY = 'sabretache.asked';
/** So many battles are remembered. */
const MOST = 100;

function askedIn(storage: Storage): Record<string, Asked> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Asked>) : {};
  } catch {
    return {};
  }
}

/** One is asked to choose freely: kept by this browser, so that a reload finds what the enemy has done. */
export function keepAsked(id: string, moment: number, storage: Storage = localStorage) {
  const { [id]: known, ...others } = askedIn(storage);
  const before = known?.at === moment ? known.before : known && known.at < moment ? known.at : null;
  storage.setItem(KEY, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [id, { at: moment, before }]])));
}

/**
 * The moment at which one last chose freely before this one: as this browser remembers it, or else the last at which one's own side chose anything. Nothing,
 * where it never did.
 */
export function lastChosen(id: string, moment: number, story: StoryLine[], own: Side, storage: Storage = localStorage): number | null {
  const known = askedIn(storage)[id];
  const remembered = known && (known.at < moment ? known.at : known.at === moment ? known.before : null);
  if (remembered) return remembered;
  const line = story.findLast((one) => one.side === own && !one.standing && one.moment <= moment);
  return line && line.moment > 1 ? line.moment - 1 : null;
}
