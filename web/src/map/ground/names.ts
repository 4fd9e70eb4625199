/** The names on the map, where no troops cover them. */

import type { GroundStyle } from '../../protocol/GroundStyle';
import type { Setting } from '../../protocol/Setting';
import { boundsOf, closed, inside, lengthOf, middleOf, overlap, softLine, toSheet, turned, walk, type Box, type Pt } from '../geometry';
import { sideways } from '../names';
import { pieceOf } from './mark';
import { rampartWidth } from './works';

/** A name: at a place, or along a line. */
export interface GroundName {
  id: string;
  text: string;
  water: boolean;
  /** The places it may stand at, the best first: where it stands on the sheet, or how far along its line. */
  places: Pt[];
  along: { path: string; points: Pt[]; places: number[]; beside: number } | null;
  /** The room that the area gives it, where it is one. */
  room: Box | null;
}

/** Whether a stretch of a line holds another. */
const reaches = (from: number, long: number, at: number, by: number) => at >= from && at + by <= from + long;

/** A name where it is drawn. */
export interface PlacedName extends Omit<GroundName, 'places' | 'along' | 'room'> {
  at: Pt;
  /** In parts of the size of names. */
  part: number;
  /** The name, in one line or two. */
  lines: string[];
  /** It stands upright: the area is high and narrow. */
  upright: boolean;
  along: { path: string; start: number; beside: number } | null;
  /** What it covers on the sheet. */
  boxes: Box[];
}

/** About how wide a letter of a name is, in parts of its height. */
const LETTER = 0.72;
/** Where along its line a name may stand, the best first. */
const ALONG = [0.5, 0.4, 0.6, 0.32, 0.68, 0.24, 0.76, 0.16, 0.84];
/** Where there is no room a name is written smaller, in parts of its size, then in two lines; then it is left out, and only shown to who points there. */
const SMALLER = [1, 0.84, 0.7];
const LARGE = [1, 0.84];

/** Where a name may stand, and how large. */
interface Way {
  places: Pt[];
  sizes: number[];
}

/** The cosine of the sharpest turn that a name goes along. */
const CORNER = 0.64;
/** Lines that are no wider than a stroke: a name on them would be struck through. */
const THIN = new Set<GroundStyle>(['hedge', 'wall', 'works', 'ditch', 'abatis', 'rampart', 'ridge', 'breach', 'other']);
/** A river narrower than this has its name beside it. */
const NARROW = 24;
const WATER = new Set<GroundStyle>(['river', 'water', 'ford', 'marsh']);

export function groundNames(setting: Setting, turn = 0): GroundName[] {
  const east = turned({ x: 1, y: 0 }, -turn);
  // Villages have the least room beside them: they choose first.
  const first = (style: GroundStyle) => (style === 'buildings' ? 0 : 1);
  const ordered = [...setting.ground].sort((a, b) => first(a.drawn) - first(b.drawn));
  return ordered.flatMap((ground): GroundName[] => {
    if (!ground.name) return [];
    const piece = pieceOf(ground, setting);
    // A name beside a town's wall keeps off its towers.
    const width = ground.drawn === 'rampart' ? rampartWidth(piece) * 2 : piece.width;
    const line = ground.line.map((p) => toSheet(p, setting.depth));
    const named = { id: ground.id, text: ground.name, water: WATER.has(ground.drawn) };
    if (line.length > 1) {
      // A name along a line is read from left to right, as the sheet is turned.
      const [first, last] = [line[0], line.at(-1)];
      const forth = ((last?.x ?? 0) - (first?.x ?? 0)) * east.x + ((last?.y ?? 0) - (first?.y ?? 0)) * east.y >= 0;
      const points = forth ? line : [...line].reverse();
      const along = { path: softLine(points, 60), points, places: ALONG, beside: THIN.has(ground.drawn) ? width / 2 : ground.drawn === 'river' && width < NARROW ? width / 2 + 5 : 0 };
      return [{ ...named, places: [], along, room: null }];
    }
    const outer = ground.rings[0]?.map((p) => toSheet(p, setting.depth));
    if (!outer) return [];
    const box = boundsOf(outer);
    const middle = middleOf(outer);
    // The name of a village stands over it, where no house hides it, or under it, or beside it.
    if (ground.drawn === 'buildings') return [{ ...named, places: around(box), along: null, room: null }];
    const steps = [0, -0.16, 0.16, -0.28, 0.28, -0.4, 0.4];
    const spots = steps.flatMap((dx) => steps.map((dy) => ({ x: middle.x + dx * box.width, y: middle.y + dy * box.height })));
    return [{ ...named, places: [middle, ...spots.filter((p) => inside([outer], p))], along: null, room: box }];
  });
}

type Place = Pt & { anchor?: Pt };

/** So many of the places round a village are near it. */
const NEAR = 24;
/** The last of them lie over its roofs. */
const OVER = 3;

/** Places round a village: nearer ones first, over and under it before beside it. */
function around({ x, y, width, height }: Box): Place[] {
  const middle = x + width / 2;
  // At the worst over its own roofs: they can be read over, and a village without its name is nowhere.
  const within = [0.5, 0.28, 0.72].map((part) => ({ x: middle, y: y + height * part }));
  return [8, 16, 28, 44, 64].flatMap((far): Place[] => [
    { x: middle, y: y - far, anchor: { x: 0, y: -1 } },
    { x: middle, y: y + height + far, anchor: { x: 0, y: 1 } },
    { x: x + width * 0.1, y: y - far, anchor: { x: 0, y: -1 } },
    { x: x + width * 0.9, y: y - far, anchor: { x: 0, y: -1 } },
    { x: x + width * 0.1, y: y + height + far, anchor: { x: 0, y: 1 } },
    { x: x + width * 0.9, y: y + height + far, anchor: { x: 0, y: 1 } },
    { x: x + width + far, y: y + height / 2, anchor: { x: 1, y: 0 } },
    { x: x - far, y: y + height / 2, anchor: { x: -1, y: 0 } },
  ]).concat(within);
}

/** A long name in two lines, cut where it is nearest to the middle. */
function halved(text: string): string[] {
  const cuts = [...text.matchAll(/[ ,] ?/g)].map(({ index }) => index).filter((n) => n > 2 && n < text.length - 3);
  const cut = cuts.sort((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2))[0];
  return cut === undefined ? [text] : [text.slice(0, cut).trim(), text.slice(cut).replace(/^[ ,]+/, '')];
}

/** What a name covers along its line, a box for every letter or so; nothing where the line turns so sharply that letters would fall off it. */
function boxesAlong(text: string, points: Pt[], start: number, size: number, beside: number): Box[] {
  const whole = lengthOf(points);
  const off = beside ? beside + size * 0.6 : 0;
  const half = (text.length * size * LETTER) / 2;
  const on = walk(points, size).filter(({ along }) => Math.abs(along - whole * start) <= half);
  const sharp = on.some(({ nx, ny }, i) => i > 0 && nx * (on[i - 1]?.nx ?? nx) + ny * (on[i - 1]?.ny ?? ny) < CORNER);
  if (sharp) return [];
  return on.map(({ x, y, nx, ny }) => ({ x: x + nx * off - size / 2, y: y + ny * off - size / 2, width: size, height: size }));
}

const UNDER = 1.05;

/** What is drawn as a line, or is full of houses, in small boxes: a name over it can be read, but strikes it through. */
export interface Busy {
  id: string;
  boxes: Box[];
}
const BUSY = new Set<GroundStyle>(['river', 'road', 'sunken_road', 'wall', 'works', 'rampart', 'hedge', 'abatis', 'breach', 'bridge', 'ridge']);
const STEP = 16;

export function busyGround(setting: Setting): Busy[] {
  return setting.ground.flatMap((ground): Busy[] => {
    if (!BUSY.has(ground.drawn)) return [];
    const { id, line, rings, width } = pieceOf(ground, setting);
    const wide = Math.max(4, width);
    return [{ id, boxes: walk(line.length > 1 ? line : closed(rings[0] ?? []), STEP).map(({ x, y }) => ({ x: x - wide / 2, y: y - wide / 2, width: wide, height: wide })) }];
  });
}

/** Puts every name where it covers no troops, no other name and no frame, and crosses nothing if that can be; one for which there is no such place is left out. */
export function placeNames(names: GroundName[], covered: Box[], size: number, table: { width: number; height: number }, turn = 0, busy: Busy[] = [], houses: Busy[] = []): PlacedName[] {
  const lying = sideways(turn);
  const taken = [...covered];
  const onTable = (box: Box) => box.x >= 0 && box.y >= 0 && box.x + box.width <= table.width && box.y + box.height <= table.height;
  /** Whose line it is does not matter to a name that runs along it; nothing matters to one that finds no other place. */
  let crossed: Box[] = [];
  /** The villages of others: no name lies on them. */
  let roofs: Box[] = [];
  /** The houses of the village that is being named: pushed onto the table, its name may not slip over them. */
  let own: Box[] = [];
  const free = (boxes: Box[]) => boxes.every((box) => onTable(box) && [taken, crossed, roofs].every((all) => !all.some((other) => overlap(box, other))));

  function along({ text, along: line, ...name }: GroundName): PlacedName | null {
    if (!line) return null;
    const whole = lengthOf(line.points);
    for (const part of SMALLER) {
      // A name longer than its line would lose its ends.
      if (whole < text.length * size * part * LETTER * 1.1) continue;
      for (const start of line.places) {
        const half = (text.length * size * part * LETTER) / 2 / whole;
        if (start - half < 0 || start + half > 1) continue;
        const boxes = boxesAlong(text, line.points, start, size * part, line.beside);
        if (boxes.length > 0 && free(boxes)) return { id: name.id, water: name.water, text, lines: [text], part, at: line.points[0] ?? { x: 0, y: 0 }, along: { path: line.path, start, beside: line.beside }, upright: false, boxes };
      }
    }
    return null;
  }

  function standing({ text, places, room: area, id, water }: GroundName, sizes = SMALLER): PlacedName | null {
    const ways = [[text], halved(text)].flatMap((lines) => sizes.map((part) => ({ lines, part })));
    for (const { lines, part } of ways) {
      const letters = Math.max(...lines.map((line) => line.length));
      const [long, high] = [(letters * size * part * LETTER) / 2, (lines.length * size * part * UNDER) / 2];
      const [across, down] = area === null ? [0, 0] : lying ? [area.height, area.width] : [area.width, area.height];
      const upright = area !== null && lines.length === 1 && across < 2 * long && down > 2 * long && down > 1.4 * across;
      const [w, h] = upright !== lying ? [high, long] : [long, high];
      for (const { anchor, ...place } of places as Place[]) {
        const at = { x: place.x + (anchor?.x ?? 0) * w, y: place.y + (anchor?.y ?? 0) * (h - size * 0.4) };
        const kept = { x: Math.max(w, Math.min(table.width - w, at.x)), y: Math.max(h, Math.min(table.height - h, at.y)) };
        const box = { x: kept.x - w, y: kept.y - h, width: 2 * w, height: 2 * h };
        if (anchor && own.some((other) => overlap(box, other))) continue;
        // Written upright it keeps within what it names.
        if (upright && area && !(lying ? reaches(area.x, area.width, box.x, box.width) : reaches(area.y, area.height, box.y, box.height))) continue;
        if (free([box])) return { id, water, text, lines, part, at: kept, along: null, upright, boxes: [box] };
      }
    }
    return null;
  }

  /** Where a name longer than its line stands: beside the middle of it. */
  const beside = (name: GroundName): GroundName => {
    const points = name.along?.points ?? [];
    const off = (name.along?.beside ?? 0) + size * 0.9;
    const spots = [0.5, 0.3, 0.7].flatMap((part) => {
      const p = walk(points, lengthOf(points) * part * 2 || 1)[0] ?? points[0] ?? { x: 0, y: 0 };
      return [{ x: p.x, y: p.y - off }, { x: p.x, y: p.y + off }];
    });
    return { ...name, places: spots, along: null, room: null };
  };

  return names.flatMap((name) => {
    const others = (all: Busy[]) => all.flatMap(({ id, boxes }) => (id === name.id ? [] : boxes));
    roofs = others(houses);
    const place = ({ places, sizes }: Way) => (name.along ? (along(name) ?? standing(beside(name))) : standing({ ...name, places }, sizes));
    // A village's name is large and near it, even where it crosses a road there, before it is taken for that of something else.
    own = houses.flatMap(({ id, boxes }) => (id === name.id ? boxes : []));
    const village = own.length > 0;
    const beyond = name.places.slice(0, -OVER);
    const ways: Way[] = village ? [{ places: beyond.slice(0, NEAR), sizes: LARGE }, { places: beyond, sizes: LARGE }, { places: name.places, sizes: SMALLER }] : [{ places: name.places, sizes: SMALLER }];
    let placed: PlacedName | null = null;
    for (const way of ways) {
      crossed = others(busy);
      placed ??= place(way);
      crossed = [];
      placed ??= place(way);
    }
    if (!placed) return [];
    taken.push(...placed.boxes);
    return [placed];
  });
}
