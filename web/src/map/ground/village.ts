/** Villages and quarters of a town: a church, lanes of unequal houses, gardens and trees behind them. */

import { at, boundsOf, closed, distance, inside, linePath, overlap, ringPath, turned, walk, wobbledLine, type Box, type Pt } from '../geometry';
import type { Hand } from '../random';
import type { Mark, Piece } from './mark';

/** The way the longest side of a ring runs, in degrees. */
function bearing(ring: Pt[]): number {
  let [longest, angle] = [0, 0];
  closed(ring).reduce((a, b) => {
    const length = distance(a, b);
    if (length > longest) [longest, angle] = [length, (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI];
    return b;
  });
  return angle;
}

const placed = (points: Pt[], middle: Pt, angle: number) => points.map((p) => turned(p, angle)).map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }));
const box = (x: number, y: number, w: number, h: number): Pt[] => [{ x, y }, { x: x + w, y }, { x: x + w, y: y + h }, { x, y: y + h }];

/** A church: a nave with its choir and tower, and a cross on it. */
function church(middle: Pt, angle: number, size: number) {
  const put = (points: Pt[]) => placed(points.map((p) => ({ x: p.x * size, y: p.y * size })), middle, angle);
  const choir = [{ x: 7, y: -2.6 }, { x: 9.6, y: -2.2 }, { x: 11, y: 0 }, { x: 9.6, y: 2.2 }, { x: 7, y: 2.6 }];
  const cross = [[{ x: -9.2, y: -2 }, { x: -9.2, y: 2 }], [{ x: -11, y: 0 }, { x: -7.4, y: 0 }]].map((line) => linePath(put(line))).join('');
  return {
    walls: ringPath(put(box(-6.5, -3.8, 13.5, 7.6))) + ringPath(put(box(-11.8, -2.9, 5.4, 5.8))) + ringPath(put(choir)),
    roof: linePath(put([{ x: -6.5, y: 0 }, { x: 7, y: 0 }])) + cross,
    yard: ringPath(put([{ x: -15, y: -8.5 }, { x: 13, y: -9.5 }, { x: 15.5, y: 8 }, { x: -13.5, y: 9 }])),
    reach: 16 * size,
  };
}

/** The lanes of a sector: one along it, others off it to both sides, none of them straight. */
function lanes(level: Box, hand: Hand, size: number): Pt[][] {
  const bend = (points: Pt[]) => wobbledLine(points, () => hand.next(), 3.5 * size, 34 * size);
  const street = level.y + level.height * hand.between(0.42, 0.58);
  const tilt = hand.between(-0.12, 0.12) * level.height;
  const main = bend([{ x: level.x - 4, y: street - tilt }, { x: level.x + level.width * 0.5, y: street + hand.between(-3, 3) }, { x: level.x + level.width + 4, y: street + tilt }]);
  const off: Pt[][] = [];
  const many = Math.max(1, Math.min(4, Math.round(level.width / (46 * size))));
  for (let n = 0; n < many; n++) {
    const x = level.x + ((n + hand.between(0.3, 0.7)) / many) * level.width;
    for (const side of [-1, 1]) {
      if (many > 1 && hand.next() < 0.22) continue;
      const end = side < 0 ? level.y - 4 : level.y + level.height + 4;
      off.push(bend([{ x: x + hand.between(-4, 4), y: street }, { x: x + hand.between(-9, 9) * size, y: end }]));
    }
  }
  return [main, ...off];
}

/** A house: sometimes with a wing. */
function house(wide: number, deep: number, hand: Hand): { walls: Pt[]; ridge: Pt[] } {
  const [w, d] = [wide / 2, deep / 2];
  const ridge = [{ x: -w, y: 0 }, { x: w, y: 0 }];
  if (wide < deep * 1.25 || hand.next() < 0.55) return { walls: box(-w, -d, wide, deep), ridge };
  const [left, out] = [hand.next() < 0.5, deep * hand.between(0.4, 0.75)];
  const walls = [{ x: -w, y: -d }, { x: w, y: -d }, { x: w, y: d + (left ? 0 : out) }, ...(left ? [] : [{ x: w - deep * 0.8, y: d + out }, { x: w - deep * 0.8, y: d }]), ...(left ? [{ x: -w + deep * 0.8, y: d }, { x: -w + deep * 0.8, y: d + out }] : []), { x: -w, y: d + (left ? out : 0) }];
  return { walls, ridge };
}

interface Built {
  houses: string[];
  shadows: string[];
  roofs: string[];
  gardens: string[];
  beds: string[];
  trees: string[];
}

/** Houses along both sides of a lane, their fronts to it; what is built already keeps its room. */
function build(lane: Pt[], ring: Pt[], taken: { at: Pt; r: number }[], streets: Pt[], { hand }: Piece, size: number, built: Built) {
  const free = (p: Pt, r: number) => taken.every((other) => distance(other.at, p) > other.r + r);
  const clear = (points: Pt[]) => points.every((p) => inside([ring], p)) && streets.every((p) => points.every((q) => distance(p, q) > 1.7 * size));
  for (const side of [-1, 1]) {
    for (const step of walk(lane, 2.5 * size)) {
      if (hand.next() < 0.16) continue;
      const [wide, deep] = [hand.between(5.5, 13) * size, hand.between(4.8, 7.4) * size];
      const back = (hand.between(2.4, 4.4) + 0.2) * size + deep / 2;
      const middle = { x: step.x + step.nx * back * side, y: step.y + step.ny * back * side };
      const reach = Math.max(wide, deep) * 0.56;
      if (!free(middle, reach)) continue;
      const angle = (Math.atan2(step.nx, -step.ny) * 180) / Math.PI + (side < 0 ? 0 : 180) + hand.between(-7, 7);
      const made = house(wide, deep, hand);
      const walls = placed(made.walls, middle, angle);
      if (!clear(walls)) continue;
      taken.push({ at: middle, r: reach });
      built.houses.push(ringPath(walls));
      built.shadows.push(ringPath(walls.map((p) => ({ x: p.x + 0.8 * size, y: p.y + 1 * size }))));
      built.roofs.push(linePath(placed(made.ridge, middle, angle)));
      // The garden lies behind the house.
      const far = back + deep / 2 + 6.5 * size;
      const bed = { x: step.x + step.nx * far * side, y: step.y + step.ny * far * side };
      const plot = placed(box((-wide / 2) * 0.9, -4.6 * size, wide * 0.9, 9.2 * size), bed, angle);
      if (hand.next() < 0.7 && plot.every((p) => inside([ring], p)) && free(bed, 5 * size)) {
        taken.push({ at: bed, r: 5 * size });
        built.gardens.push(ringPath(plot));
        for (let y = -3; y <= 3; y += 2) built.beds.push(linePath(placed([{ x: -wide * 0.38, y: y * size }, { x: wide * 0.38, y: y * size }], bed, angle)));
      }
    }
  }
}

/** Whose name says that it has one. */
const HOLY = /church|cathedral|convent|abbey|chapel|kirche|\bsan\b|\bsanta\b|\bsaint\b/i;
/** So near to each other, in millimetres of a table drawn at its finest, sectors are one place, and have one church. */
const PARISH = 330;

/** The sectors that have a church: those whose name says so, then the largest; none near another. */
export function parishes(sectors: { id: string; name: string | null; ring: Pt[]; fine: number }[]): Set<string> {
  const known = sectors.map(({ id, name, ring, fine }) => {
    const { x, y, width, height } = boundsOf(ring);
    return { id, at: { x: x + width / 2, y: y + height / 2 }, room: width * height, holy: HOLY.test(name ?? ''), far: PARISH * fine };
  });
  const found: typeof known = [];
  for (const one of known.toSorted((a, b) => Number(b.holy) - Number(a.holy) || b.room - a.room)) {
    if (found.every((other) => distance(other.at, one.at) > one.far)) found.push(one);
  }
  return new Set(found.map(({ id }) => id));
}

export function buildings(piece: Piece, parish = true): Mark[] {
  const ring = piece.rings[0];
  if (!ring) return [];
  const { hand } = piece;
  const angle = bearing(ring);
  const level = boundsOf(ring.map((p) => turned(p, -angle)));
  const small = Math.min(level.width, level.height);
  const size = Math.max(0.7, Math.min(piece.fine, small / 42));
  const ways = lanes(level, hand, size).map((lane) => lane.map((p) => turned(p, angle)));
  const built: Built = { houses: [], shadows: [], roofs: [], gardens: [], beds: [], trees: [] };
  const taken: { at: Pt; r: number }[] = [];
  // The church stands beside the crossing of the lanes.
  const middle = turned({ x: level.x + level.width * hand.between(0.4, 0.6), y: level.y + level.height * (hand.next() < 0.5 ? 0.3 : 0.7) }, angle);
  const holy = parish && small > 52 * size && inside([ring], middle) ? church(middle, angle + hand.between(-9, 9), size) : null;
  if (holy) taken.push({ at: middle, r: holy.reach * 0.85 });
  const streets = ways.flatMap((lane) => walk(lane, 2 * size));
  for (const lane of ways) build(lane, ring, taken, streets, piece, size, built);
  const room = boundsOf(ring);
  for (let n = 0; n < (room.width * room.height) / (90 * size * size); n++) {
    const p = { x: hand.between(room.x, room.x + room.width), y: hand.between(room.y, room.y + room.height) };
    const r = hand.between(1.1, 2) * size;
    if (!inside([ring], p) || taken.some((other) => distance(other.at, p) < other.r * 0.8 + r) || streets.some((q) => distance(p, q) < 2.4 * size)) continue;
    taken.push({ at: p, r });
    built.trees.push(`M${at({ x: p.x - r, y: p.y })}a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0 ${(2 * r).toFixed(2)} 0a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0 ${(-2 * r).toFixed(2)} 0`);
  }
  const outline = piece.rings.map((each) => ringPath(each)).join('');
  const lane = ways.map(linePath).join('');
  return [
    { look: 'sector', d: outline },
    { look: 'lane-edge', d: lane, width: 3.4 * size, within: outline },
    { look: 'lane', d: lane, width: 2.7 * size, within: outline },
    { look: 'garden', d: built.gardens.join('') },
    { look: 'bed', d: built.beds.join('') },
    { look: 'churchyard', d: holy?.yard ?? '' },
    { look: 'village-tree', d: built.trees.join('') },
    { look: 'house-shadow', d: built.shadows.join('') },
    { look: 'house', d: built.houses.join('') },
    { look: 'roof', d: built.roofs.join('') },
    { look: 'church', d: holy?.walls ?? '' },
    { look: 'church-roof', d: holy?.roof ?? '' },
  ].filter(({ d }) => d !== '');
}

/** Whether most of what stands there stands among houses. A garrison may fill its sector to the edge, so places a little within are asked. */
export function garrisoned(stands: Pt[][], villages: Pt[][]): boolean {
  const places = stands.flatMap((stand) => {
    const middle = stand.reduce((sum, p) => ({ x: sum.x + p.x / stand.length, y: sum.y + p.y / stand.length }), { x: 0, y: 0 });
    return stand.map((p) => ({ x: middle.x + (p.x - middle.x) * 0.9, y: middle.y + (p.y - middle.y) * 0.9 }));
  });
  if (places.length === 0) return false;
  const extent = boundsOf(places);
  return villages.some((ring) => overlap(extent, boundsOf(ring)) && places.filter((p) => inside([ring], p)).length * 2 > places.length);
}
