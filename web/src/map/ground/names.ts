/** The names on the map, where no troops cover them. */

import type { GroundStyle } from '../../protocol/GroundStyle';
import type { Setting } from '../../protocol/Setting';
import { boundsOf, distance, inside, middleOf, overlap, softLine, toSheet, turned, walk, type Box, type Pt } from '../geometry';
import { sideways } from '../names';
import { pieceOf } from './mark';

/** A name: at a place, or along a line. */
export interface GroundName {
  id: string;
  text: string;
  water: boolean;
  /** The places it may stand at, the best first: where it stands on the sheet, or how far along its line. */
  places: Pt[];
  along: { path: string; points: Pt[]; places: number[]; beside: number } | null;
  /** The room that the area gives it, where it is one. */
  room: { width: number; height: number } | null;
}

/** A name where it is drawn. */
export interface PlacedName extends Omit<GroundName, 'places' | 'along' | 'room'> {
  at: Pt;
  /** It stands upright: the area is high and narrow. */
  upright: boolean;
  along: { path: string; start: number; beside: number } | null;
  /** Troops stand on it wherever it is put. */
  covered: boolean;
}

/** About how wide a letter of a name is, in parts of its height. */
const LETTER = 0.72;
const [FIRST, FURTHER] = [0.5, [0.32, 0.68, 0.18, 0.82]];

/** Lines that are no wider than a stroke: a name on them would be struck through. */
const THIN = new Set<GroundStyle>(['hedge', 'wall', 'works', 'ditch', 'abatis', 'rampart', 'ridge', 'breach', 'other']);
const WATER = new Set<GroundStyle>(['river', 'water', 'ford', 'marsh']);

export function groundNames(setting: Setting, turn = 0): GroundName[] {
  const east = turned({ x: 1, y: 0 }, -turn);
  return setting.ground.flatMap((ground): GroundName[] => {
    if (!ground.name) return [];
    const { width } = pieceOf(ground, setting);
    const line = ground.line.map((p) => toSheet(p, setting.depth));
    const named = { id: ground.id, text: ground.name, water: WATER.has(ground.drawn) };
    if (line.length > 1) {
      // A name along a line is read from left to right, as the sheet is turned.
      const [first, last] = [line[0], line.at(-1)];
      const forth = ((last?.x ?? 0) - (first?.x ?? 0)) * east.x + ((last?.y ?? 0) - (first?.y ?? 0)) * east.y >= 0;
      const points = forth ? line : [...line].reverse();
      const along = { path: softLine(points, 60), points, places: [FIRST, ...FURTHER], beside: THIN.has(ground.drawn) ? width / 2 : 0 };
      return [{ ...named, places: [], along, room: null }];
    }
    const outer = ground.rings[0]?.map((p) => toSheet(p, setting.depth));
    if (!outer) return [];
    const box = boundsOf(outer);
    const middle = middleOf(outer);
    // The name of a village stands over it, where no house hides it, or under it.
    if (ground.drawn === 'buildings') return [{ ...named, places: [{ x: middle.x, y: box.y - 8 }, { x: middle.x, y: box.y + box.height + 8 }, middle], along: null, room: null }];
    const steps = [0, -0.22, 0.22, -0.36, 0.36];
    const spots = steps.flatMap((dx) => steps.map((dy) => ({ x: middle.x + dx * box.width, y: middle.y + dy * box.height })));
    return [{ ...named, places: [middle, ...spots.filter((p) => inside([outer], p))], along: null, room: box }];
  });
}

/** What a name covers along its line, a box for every letter or so. */
function boxesAlong(text: string, points: Pt[], start: number, size: number): Box[] {
  const whole = points.slice(1).reduce((sum, p, i) => sum + distance(p, points[i] ?? p), 0);
  const half = (text.length * size * LETTER) / 2;
  const on = walk(points, size).filter(({ along }) => Math.abs(along - whole * start) <= half);
  return on.map(({ x, y }) => ({ x: x - size / 2, y: y - size / 2, width: size, height: size }));
}

/** Puts every name where it covers no troops and no other name, or fewest of them. */
export function placeNames(names: GroundName[], covered: Box[], size: number, table: { width: number; height: number }, turn = 0): PlacedName[] {
  const lying = sideways(turn);
  const taken = [...covered];
  const hits = (boxes: Box[]) => taken.filter((other) => boxes.some((box) => overlap(box, other))).length;
  /** The first of the places where it is freest, what it covers there, and whether that is anything. */
  function best<T>(places: T[], boxes: (place: T) => Box[]): { place: T; hit: number } | null {
    let found: { place: T; hit: number } | null = null;
    for (const place of places) {
      const hit = hits(boxes(place));
      if (!found || hit < found.hit) found = { place, hit };
      if (hit === 0) break;
    }
    return found;
  }
  return names.flatMap(({ places, along, room: area, ...name }): PlacedName[] => {
    const whole = along ? along.points.slice(1).reduce((sum, p, i) => sum + distance(p, along.points[i] ?? p), 0) : 0;
    // A name longer than its line would lose its ends: it stands beside the middle of it.
    if (along && whole < name.text.length * size * LETTER * 1.1) {
      const middle = walk(along.points, whole / 2 || 1)[0] ?? along.points[0] ?? { x: 0, y: 0 };
      const off = along.beside + size * 0.9;
      places = [{ x: middle.x, y: middle.y - off }, { x: middle.x, y: middle.y + off }];
    } else if (along) {
      const room = (start: number) => boxesAlong(name.text, along.points, start, size);
      const spot = best(along.places, room);
      if (!spot) return [];
      taken.push(...room(spot.place));
      return [{ ...name, at: along.points[0] ?? { x: 0, y: 0 }, along: { path: along.path, start: spot.place, beside: along.beside }, upright: false, covered: spot.hit > 0 }];
    }
    // A name at a place stays on the table as a whole.
    const long = (name.text.length * size * LETTER) / 2;
    const [across, down] = area === null ? [0, 0] : lying ? [area.height, area.width] : [area.width, area.height];
    const upright = area !== null && across < 2 * long && down > 2 * long && down > 1.4 * across;
    const [wide, high] = upright !== lying ? [size / 2, long] : [long, size / 2];
    const kept = places.map(({ x, y }) => ({ x: Math.max(wide, Math.min(table.width - wide, x)), y: Math.max(high, Math.min(table.height - high, y)) }));
    const room = ({ x, y }: Pt): Box => ({ x: x - wide, y: y - high, width: 2 * wide, height: 2 * high });
    const spot = best(kept, (place) => [room(place)]);
    if (!spot) return [];
    taken.push(room(spot.place));
    return [{ ...name, at: spot.place, along: null, upright, covered: spot.hit > 0 }];
  });
}
