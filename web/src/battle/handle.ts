/** How a hand takes hold of an offer: what the engine tells, and what can be read off it on the table. */

import { distance, type Pt } from '../map/geometry';
import type { OfferView } from '../protocol/OfferView';
import type { Value } from '../protocol/Value';
import type { View } from '../protocol/View';
import { alongTrack, firstValue, nearestIn } from './value';

/** The unit, officer or command's officer that an offer is about. */
export function actorOf(offer: OfferView, view: View | null): string | null {
  const { handle } = offer;
  switch (handle.by) {
    case 'along':
    case 'wheel':
    case 'slide':
    case 'formation':
      return handle.unit;
    case 'point':
      return handle.who;
    case 'target':
      return handle.of[0] ?? offer.unit;
    case 'units':
      // Where nobody is named it is his from whose units some are picked.
      return offer.unit ?? officerOf(offer.command ?? commandOf(handle.of, view), view);
    case 'none':
      return handle.who ?? offer.unit ?? officerOf(offer.command, view);
  }
}

const officerOf = (command: string | null, view: View | null) => view?.commands.find(({ id }) => id === command)?.officer ?? command;

/** The lowest command that all of these belong to. */
function commandOf(units: string[], view: View | null): string | null {
  const over = (unit: string) => {
    const chain: string[] = [];
    let at = view?.units.find(({ id }) => id === unit)?.command ?? null;
    for (; at && !chain.includes(at); at = view?.commands.find(({ id }) => id === at)?.above ?? null) chain.push(at);
    return chain;
  };
  const [first, ...others] = units.map(over);
  return first?.find((command) => others.every((chain) => chain.includes(command))) ?? null;
}

/** Where a unit or officer stands. */
export const placeOf = (view: View | null, token: string): Pt | null =>
  view?.units.find(({ id }) => id === token)?.pose?.at ?? view?.officers.find(({ id }) => id === token)?.at ?? null;

/** What can be moved by drawing the thing itself. */
export const drawn = (offer: Drawable) => ['along', 'slide', 'point'].includes(offer.handle.by);

/** What has to be known of an offer to draw its unit somewhere; also of one that is only made possible yet. */
export type Drawable = Pick<OfferView, 'handle' | 'input'>;

export interface Reach<O extends Drawable = OfferView> {
  offer: O;
  value: Value;
  /** How far it is moved from where it stands. */
  by: Pt;
  /** How far what is wished for lies from what can be done. */
  off: number;
}

/** A direction as a step of one micrometre. */
const unitStep = (bearing: number): Pt => ({ x: Math.sin((bearing * Math.PI) / 18_000), y: Math.cos((bearing * Math.PI) / 18_000) });

const less = (a: Pt, b: Pt): Pt => ({ x: a.x - b.x, y: a.y - b.y });

const between = (value: number, least: number, most: number) => Math.round(Math.max(least, Math.min(most, value)));

function placeAlong(track: Pt[], by: number): Pt | null {
  let left = by;
  for (let i = 0; i + 1 < track.length; i++) {
    const [a, b] = [track[i], track[i + 1]];
    if (!a || !b) continue;
    const long = distance(a, b);
    if (left <= long && long > 0) return { x: a.x + ((b.x - a.x) * left) / long, y: a.y + ((b.y - a.y) * left) / long };
    left -= long;
  }
  return track.at(-1) ?? null;
}

/** What an offer comes to when its unit is drawn from where it stands to a place; nothing where it cannot be drawn. */
export function drawnTo<O extends Drawable>(offer: O, from: Pt, to: Pt): Reach<O> | null {
  const { handle, input } = offer;
  if (handle.by === 'point' && input.kind === 'point') {
    const point = nearestIn(input, to);
    return point ? { offer, value: { point }, by: less(point, from), off: distance(point, to) } : null;
  }
  if (handle.by === 'along') {
    const first = handle.track[0];
    if (!first) return null;
    // The track begins where the unit is measured from; the hand holds it where it stands.
    const there = { x: to.x + first.x - from.x, y: to.y + first.y - from.y };
    const along = alongTrack(handle.track, there);
    if (input.kind === 'distance') {
      const far = between(along, input.least, input.most);
      const at = placeAlong(handle.track, far);
      return at ? { offer, value: { distance: far }, by: less(at, first), off: distance(at, there) } : null;
    }
    const value = firstValue(input);
    const end = handle.track.at(-1);
    return value !== null && end ? { offer, value, by: less(end, first), off: distance(end, there) } : null;
  }
  if (handle.by === 'slide' && input.kind === 'distance') {
    const step = unitStep(handle.bearing);
    const far = between((to.x - from.x) * step.x + (to.y - from.y) * step.y, input.least, input.most);
    const by = { x: step.x * far, y: step.y * far };
    return { offer, value: { distance: far }, by, off: distance({ x: from.x + by.x, y: from.y + by.y }, to) };
  }
  return null;
}

/** The offer that comes nearest to what is wished for. */
export function bestReach<O extends Drawable>(offers: O[], from: Pt, to: Pt): Reach<O> | null {
  const all = offers.flatMap((offer) => drawnTo(offer, from, to) ?? []);
  return all.reduce<Reach<O> | null>((best, one) => (best === null || one.off < best.off ? one : best), null);
}

export type Hand = 'left' | 'right';

/** The point about which a unit turns to a hand, where it can. */
export function pivotOf({ handle, input }: OfferView, hand: Hand): Pt | null {
  if (handle.by !== 'wheel' || input.kind !== 'wheel') return null;
  return (hand === 'left' ? input.most_left < 0 : input.most_right > 0) ? handle.pivots[hand] : null;
}

/** How far a wheel to a hand goes when a corner is drawn from one place to another: negative to the left. */
export function wheeledTo(offer: OfferView, hand: Hand, from: Pt, to: Pt): Value | null {
  const pivot = pivotOf(offer, hand);
  const { input } = offer;
  if (!pivot || input.kind !== 'wheel') return null;
  const bearing = (p: Pt) => (Math.atan2(p.x - pivot.x, p.y - pivot.y) * 18_000) / Math.PI;
  const turn = ((bearing(to) - bearing(from) + 54_000) % 36_000) - 18_000;
  return { wheel: hand === 'left' ? between(turn, input.most_left, Math.min(0, input.most_right)) : between(turn, Math.max(0, input.most_left), input.most_right) };
}
