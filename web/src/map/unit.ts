/** A unit as it is drawn: its stands, the stripe of its facings along the front, the symbol of its arm. */

import type { Marker } from '../protocol/Marker';
import type { Symbol as Arm } from '../protocol/Symbol';
import type { UnitView } from '../protocol/UnitView';
import { at, boundsOf, distance, ringPath, toSheet, turned, type Box, type Pt } from './geometry';

export interface DrawnUnit {
  id: string;
  stands: string;
  stripes: string;
  stripeWidth: number;
  /** The ends of the stripe are drawn where the front line is. */
  symbol: string;
  symbolFilled: string;
  symbolAt: string;
  pen: number;
  middle: Pt;
  /** The room it takes on the sheet. */
  room: Box;
  /** All that it covers, more closely. */
  boxes: Box[];
  /** Where the colour of a battalion is carried, and how large it is; nothing for other arms. */
  colour: { at: Pt; size: number } | null;
  /** Where the first marker stands, and the way the row runs. */
  markersFrom: Pt;
}

/** A line along the front of a stand, moved inwards by half its width. */
function stripe(corners: Pt[], width: number): string {
  const [left, right, rearRight, rearLeft] = corners;
  if (!left || !right || !rearRight || !rearLeft) return '';
  const depth = Math.hypot(rearLeft.x - left.x, rearLeft.y - left.y) || 1;
  const by = width / 2 / depth;
  const inwards = (front: Pt, rear: Pt): Pt => ({ x: front.x + (rear.x - front.x) * by, y: front.y + (rear.y - front.y) * by });
  return `M${at(inwards(left, rearLeft))}L${at(inwards(right, rearRight))}`;
}

const box = (w: number, h: number) => `M${-w / 2} ${-h / 2}h${w}v${h}h${-w}z`;
const rising = (w: number, h: number) => `M${-w / 2} ${h / 2}L${w / 2} ${-h / 2}`;
const saltire = (w: number, h: number) => `${rising(w, h)}M${-w / 2} ${-h / 2}L${w / 2} ${h / 2}`;
const disc = (r: number, x = 0, y = 0) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** The symbol of an arm in a box `w` by `h` about the origin: what is drawn with the pen, and what is filled. */
export function symbolOf(arm: Arm, w: number, h: number): { lines: string; filled: string } {
  const dot = disc(h * 0.13, 0, -h * 0.3);
  switch (arm) {
    case 'foot':
      return { lines: box(w, h) + saltire(w, h), filled: '' };
    case 'light_foot':
      return { lines: box(w, h) + saltire(w, h), filled: dot };
    case 'horse':
      return { lines: box(w, h) + rising(w, h), filled: '' };
    case 'light_horse':
      return { lines: box(w, h) + rising(w, h), filled: disc(h * 0.13, -w * 0.2, -h * 0.22) };
    case 'heavy_horse':
      return { lines: box(w, h) + rising(w, h), filled: `M${-w / 2} ${h / 2}L${w / 2} ${-h / 2}V${h / 2}z` };
    case 'dragoons':
      return { lines: `${box(w, h)}${rising(w, h)}M${-w / 2} ${-h * 0.28}H${w / 2}`, filled: '' };
    case 'guns':
      return { lines: box(w, h), filled: disc(h * 0.27) };
    case 'horse_guns':
      return { lines: `${box(w, h)}${rising(w, h)}`, filled: disc(h * 0.25) };
    case 'heavy_guns':
      return { lines: box(w, h) + disc(h * 0.38), filled: disc(h * 0.2) };
    case 'howitzers':
      return { lines: `${box(w, h)}${disc(h * 0.28)}M0 ${-h * 0.28}V${-h / 2}`, filled: '' };
    case 'train':
      return { lines: `${box(w, h)}${disc(h * 0.2, -w * 0.2, 0)}${disc(h * 0.2, w * 0.2, 0)}`, filled: '' };
  }
}

export function drawUnit(unit: UnitView, depth: number): DrawnUnit | null {
  if (!unit.pose || unit.stands.length === 0) return null;
  const heading = unit.pose.heading / 100;
  const stands = unit.stands.map((stand) => stand.map((p) => toSheet(p, depth)));
  const level = stands.flat().map((p) => turned(p, -heading));
  const extent = boundsOf(level);
  const middle = turned({ x: extent.x + extent.width / 2, y: extent.y + extent.height / 2 }, heading);
  const first = stands[0] ?? [];
  const deep = Math.min(...stands.map(([left, , , rear]) => (left && rear ? Math.hypot(left.x - rear.x, left.y - rear.y) : 12)), 24);
  const wide = Math.hypot((first[1]?.x ?? 0) - (first[0]?.x ?? 0), (first[1]?.y ?? 0) - (first[0]?.y ?? 0)) || deep;
  const stripeWidth = Math.max(1.6, Math.min(deep * 0.2, 3.4));
  const high = Math.min(deep * 0.58, extent.width * 0.4, wide);
  const symbol = symbolOf(unit.symbol, high * 1.45, high);
  const symbolMiddle = turned({ x: extent.x + extent.width / 2, y: extent.y + extent.height / 2 + stripeWidth * 0.4 }, heading);
  const rear = turned({ x: extent.x + extent.width / 2, y: extent.y + extent.height + 5 }, heading);
  return {
    id: unit.id,
    stands: stands.map(ringPath).join(''),
    stripes: stands.map((stand) => stripe(stand, stripeWidth)).join(''),
    stripeWidth,
    symbol: symbol.lines,
    symbolFilled: symbol.filled,
    symbolAt: `translate(${at(symbolMiddle)}) rotate(${heading})`,
    pen: Math.max(0.4, high * 0.075),
    middle,
    room: boundsOf([...stands.flat(), ...around(rear, unit.markers.length)]),
    boxes: [...stands.flatMap(slices), ...(unit.markers.length > 0 ? [boundsOf(around(rear, unit.markers.length))] : [])],
    markersFrom: rear,
    colour: carried(unit.symbol) ? { at: turned({ x: extent.x + extent.width / 2 + high * 1.5, y: extent.y + extent.height / 2 + stripeWidth * 0.4 }, heading), size: high } : null,
  };
}

/** Only foot carries colours. */
const carried = (arm: Arm) => arm === 'foot' || arm === 'light_foot';

/** A battalion's colour about the foot of its staff: the field, the cross on it, the staff. */
export function battalionColour(size: number): { staff: string; field: string; cross: string } {
  const [w, h] = [size * 0.95, size * 0.8];
  const field = `M0 ${-size}q${w * 0.3} ${-h * 0.16} ${w * 0.55} 0t${w * 0.45} 0v${h}q${-w * 0.3} ${h * 0.16} ${-w * 0.5} 0t${-w * 0.5} 0z`;
  return { staff: `M0 ${size * 0.55}V${-size * 1.1}`, field, cross: `M0 ${-size}L${w} ${-size + h}M${w} ${-size}L0 ${-size + h}` };
}

/** A stand cut across into pieces about as wide as deep: the boxes round them cover little that a slanting stand does not. */
function slices([left, right, rearRight, rearLeft]: Pt[]): Box[] {
  if (!left || !right || !rearRight || !rearLeft) return [];
  const between = (a: Pt, b: Pt, t: number): Pt => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  const count = Math.max(1, Math.min(12, Math.round(distance(left, right) / (distance(left, rearLeft) || 1))));
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i / count, (i + 1) / count];
    return boundsOf([between(left, right, from), between(left, right, to), between(rearLeft, rearRight, from), between(rearLeft, rearRight, to)]);
  });
}

/** The room that a row of markers takes. */
function around(rear: Pt, markers: number): Pt[] {
  if (markers === 0) return [];
  const half = 7 + (markers - 1) * 6;
  return [
    { x: rear.x - half, y: rear.y - 7 },
    { x: rear.x + half, y: rear.y + 7 },
  ];
}

/** Ink that stands out on a coat. */
export function inkOn(colour: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16) / 255);
  return 0.3 * r + 0.59 * g + 0.11 * b > 0.55 ? '#1d1812' : '#f7f1e1';
}

/** What a unit is, in a line: for hovering and for those who do not see the map. */
export function unitWords(unit: UnitView, side: string): string {
  const marks = unit.markers.map((marker: Marker) => (marker.count === 1 ? marker.name : `${marker.name} ${marker.count}`));
  return [unit.name, side, unit.absent ?? unit.formation, ...marks, ...unit.lines].join(', ');
}
