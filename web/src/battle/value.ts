/** The answer to an input: a first one to start from, and whether it can be sent. */

import type { Input } from '../protocol/Input';
import type { Value } from '../protocol/Value';
import { inside, type Pt } from '../map/geometry';
import type { Area } from '../protocol/Area';

/** What an input starts at: as far as it goes, as little wheel as may be, the first of a list. */
export function firstValue(input: Input): Value | null {
  switch (input.kind) {
    case 'none':
      return 'none';
    case 'distance':
      return { distance: input.most };
    case 'wheel':
      // A wheel that must go past something begins beyond it.
      return { wheel: Math.max(input.most_left, Math.min(input.most_right, 0)) };
    case 'point':
      return null;
    case 'units':
      return { units: sorted(input.of).slice(0, input.least) };
    case 'formation':
      return { formation: input.of[0] ?? '' };
    case 'number':
      return { number: input.most };
  }
}

/** Units are named in rising order: `#2` before `#10`. */
export const sorted = (units: string[]): string[] => [...units].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

function holds(area: Area, p: Pt): boolean {
  if (area.shape === 'circle') return Math.hypot(p.x - area.centre.x, p.y - area.centre.y) <= area.radius;
  return inside([area.corners], p);
}

/** Whether a value lies within the limits. The server has the last word; this is for the button. */
export function ready(input: Input, value: Value | null): boolean {
  if (value === null) return false;
  if (input.kind === 'none') return value === 'none';
  if (value === 'none') return false;
  switch (input.kind) {
    case 'distance':
      return 'distance' in value && value.distance >= input.least && value.distance <= input.most;
    case 'wheel':
      return 'wheel' in value && value.wheel >= input.most_left && value.wheel <= input.most_right;
    case 'point': {
      if (!('point' in value)) return false;
      const { point } = value;
      return input.within.some((area) => holds(area, point)) && !input.except.some((area) => holds(area, point));
    }
    case 'units':
      return 'units' in value && value.units.length >= input.least && value.units.length <= input.most;
    case 'formation':
      return 'formation' in value && input.of.includes(value.formation);
    case 'number':
      return 'number' in value && value.number >= input.least && value.number <= input.most;
  }
}

/** How far along a track the place nearest to a point is. */
export function alongTrack(track: Pt[], p: Pt): number {
  let [best, nearest, along] = [0, Infinity, 0];
  for (let i = 0; i + 1 < track.length; i++) {
    const a = track[i];
    const b = track[i + 1];
    if (!a || !b) continue;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const long = Math.hypot(dx, dy);
    const t = long === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (long * long)));
    const off = Math.hypot(p.x - a.x - dx * t, p.y - a.y - dy * t);
    if (off < nearest) [nearest, best] = [off, along + t * long];
    along += long;
  }
  return best;
}

/** The place of an area that is nearest to a point. */
function nearestOf(area: Area, p: Pt): Pt {
  if (holds(area, p)) return p;
  if (area.shape === 'circle') {
    const far = Math.hypot(p.x - area.centre.x, p.y - area.centre.y) || 1;
    // A hair within the edge: the whole micrometre must not fall outside.
    const by = Math.max(0, area.radius - 2) / far;
    return { x: Math.round(area.centre.x + (p.x - area.centre.x) * by), y: Math.round(area.centre.y + (p.y - area.centre.y) * by) };
  }
  let [best, nearest]: [Pt, number] = [p, Infinity];
  area.corners.forEach((a, i) => {
    const b = area.corners[(i + 1) % area.corners.length] ?? a;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const long = dx * dx + dy * dy;
    const t = long === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / long));
    const at = { x: Math.round(a.x + dx * t), y: Math.round(a.y + dy * t) };
    const off = Math.hypot(p.x - at.x, p.y - at.y);
    if (off < nearest) [best, nearest] = [at, off];
  });
  return best;
}

/** The place nearest to a point that an input allows; nothing where it lies in what is shut. */
export function nearestIn(input: Extract<Input, { kind: 'point' }>, p: Pt): Pt | null {
  const places = input.within.map((area) => nearestOf(area, p));
  const [first] = places.sort((a, b) => Math.hypot(a.x - p.x, a.y - p.y) - Math.hypot(b.x - p.x, b.y - p.y));
  return first && !input.except.some((area) => holds(area, first)) ? first : null;
}
