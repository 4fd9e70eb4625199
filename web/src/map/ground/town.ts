/** The town behind its walls: blocks of houses about lanes, as faint as all that means nothing in the rules. */

import type { Setting } from '../../protocol/Setting';
import { at, boundsOf, distance, inside, ringPath, toSheet, turned, walk, type Pt } from '../geometry';
import type { Hand } from '../random';
import { humps } from './height';
import type { Drawn, Land } from './life';

/** How far behind a straight wall the town goes, in millimetres of a table drawn at its finest. */
const DEEP = 330;
/** How far the first houses keep from the wall. */
const LANE = 30;

const cross = (o: Pt, a: Pt, b: Pt) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

/** The hull of some points. */
function hull(points: Pt[]): Pt[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (all: Pt[]) => {
    const chain: Pt[] = [];
    for (const p of all) {
      while (chain.length > 1 && cross(chain.at(-2) ?? p, chain.at(-1) ?? p, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const area = (ring: Pt[]) => Math.abs(ring.reduce((sum, p, i) => sum + p.x * (ring[(i + 1) % ring.length]?.y ?? 0) - p.y * (ring[(i + 1) % ring.length]?.x ?? 0), 0)) / 2;

/** What the walls of a town enclose: all within them, or a stretch behind a straight one, on the side away from its outworks. */
function within(setting: Setting, fine: number): Pt[] | null {
  const there = (points: Pt[]) => points.map((p) => toSheet(p, setting.depth));
  const walls = setting.ground.flatMap(({ drawn, line }) => (drawn === 'rampart' && line.length > 1 ? [there(line)] : []));
  const all = walls.flat();
  if (all.length === 0) return null;
  const ring = hull(all);
  const box = boundsOf(all);
  if (ring.length > 2 && area(ring) > 0.3 * box.width * box.height && Math.min(box.width, box.height) > 200) return ring;
  const works = setting.ground.flatMap(({ drawn, rings, line }) => (drawn === 'works' ? there([...rings.flat(), ...line]) : []));
  if (works.length === 0) return null;
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return null;
  const long = distance(first, last) || 1;
  const out = { x: -(last.y - first.y) / long, y: (last.x - first.x) / long };
  const side = works.reduce((sum, p) => sum + (p.x - first.x) * out.x + (p.y - first.y) * out.y, 0) > 0 ? -1 : 1;
  const off = { x: out.x * side * DEEP * fine, y: out.y * side * DEEP * fine };
  return [first, last, { x: last.x + off.x, y: last.y + off.y }, { x: first.x + off.x, y: first.y + off.y }];
}

export function town(setting: Setting, land: Land, hand: Hand, fine: number, drawn: Drawn) {
  const ring = within(setting, fine);
  if (!ring) return;
  const walls = setting.ground.flatMap(({ drawn: style, line }) => (style === 'rampart' ? walk(line.map((p) => toSheet(p, setting.depth)), 8) : []));
  const clear = (p: Pt) => inside([ring], p) && walls.every((step) => distance(step, p) > LANE * fine);
  const box = boundsOf(ring);
  const [wide, high] = [78 * fine, 60 * fine];
  // Lanes grew as they would: the rows bend, blocks differ, and here and there is a square or a garden.
  const [east, south, lie] = [humps(hand, 260 * fine), humps(hand, 240 * fine), humps(hand, 330 * fine)];
  for (let row = 0, y = box.y; y < box.y + box.height; row++, y += high) {
    for (let x = box.x - (row % 2 ? 34 * fine : 0); x < box.x + box.width; x += wide) {
      const there = { x: x + wide / 2, y: y + high / 2 };
      const middle = { x: there.x + 30 * fine * east(there) + hand.between(-5, 5), y: there.y + 24 * fine * south(there) + hand.between(-5, 5) };
      if (!clear(middle)) continue;
      // Away from the walls it thins out.
      const far = Math.min(...walls.map((step) => distance(step, middle))) / (DEEP * fine);
      if (hand.next() < 0.1 + Math.max(0, far - 0.5) * 0.9) continue;
      block(middle, wide * hand.between(0.66, 0.88), high * hand.between(0.62, 0.84), 22 * lie(middle) + hand.between(-6, 6), { land, hand, fine, drawn, clear });
    }
  }
}

interface Builder {
  land: Land;
  hand: Hand;
  fine: number;
  drawn: Drawn;
  clear: (p: Pt) => boolean;
}

/** Houses about a court, their backs to it. */
function block(middle: Pt, wide: number, high: number, angle: number, { land, hand, fine, drawn, clear }: Builder) {
  const put = (x: number, y: number, w: number, h: number) => [{ x, y }, { x: x + w, y }, { x: x + w, y: y + h }, { x, y: y + h }].map((p) => turned(p, angle)).map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }));
  const built: Pt[][] = [];
  const build = (walls: Pt[]) => {
    if (hand.next() < 0.16 || !walls.every(clear) || !land.free(walls)) return;
    built.push(walls);
    drawn['life-houses'].push(ringPath(walls));
  };
  for (const y of [-high / 2, high / 2]) {
    if (hand.next() < 0.14) continue;
    for (let x = -wide / 2; x < wide / 2 - 4 * fine; ) {
      const [w, d] = [Math.min(hand.between(6, 13) * fine, wide / 2 - x), hand.between(6, 9.5) * fine];
      build(put(x, y < 0 ? y : y - d, w - 0.8, d));
      x += w;
    }
  }
  for (const x of [-wide / 2, wide / 2]) {
    if (hand.next() < 0.3) continue;
    for (let y = -high / 2 + 11 * fine; y < high / 2 - 16 * fine; ) {
      const [w, d] = [hand.between(6, 8.5) * fine, hand.between(6, 10) * fine];
      build(put(x < 0 ? x : x - w, y, w, d - 0.8));
      y += d;
    }
  }
  for (const walls of built) land.take(walls);
  // Trees in the courts.
  for (let n = 0; n < 3; n++) {
    const p = put(hand.between(-0.25, 0.25) * wide, hand.between(-0.2, 0.2) * high, 1, 1)[0];
    if (p && clear(p) && land.free(put(-2, -2, 4, 4)) && hand.next() < 0.6) drawn['life-trees'].push(`M${at({ x: p.x - 1.5 * fine, y: p.y })}a${(1.5 * fine).toFixed(2)} ${(1.5 * fine).toFixed(2)} 0 1 0 ${(3 * fine).toFixed(2)} 0a${(1.5 * fine).toFixed(2)} ${(1.5 * fine).toFixed(2)} 0 1 0 ${(-3 * fine).toFixed(2)} 0`);
  }
}
