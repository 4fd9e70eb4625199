/** A bit of life between what matters: fields, hedgerows, orchards, tracks, lone trees. It means nothing in the rules, and is faint enough to say so. */

import type { GroundStyle } from '../../protocol/GroundStyle';
import type { Setting } from '../../protocol/Setting';
import { at, band, boundsOf, distance, inside, lengthOf, linePath, overlap, ringPath, toSheet, turned, walk, wobbledLine, type Box, type Pt } from '../geometry';
import { Hand } from '../random';
import { fineness, pieceOf, type Mark } from './mark';
import { town } from './town';
import { courses, looseEnds } from './water';

/** A hill is no reason not to plough, nor is a ridge. */
const OPEN = new Set<GroundStyle>(['hill', 'ridge']);
/** What a track may cross. */
const PASSABLE = new Set<GroundStyle>(['hill', 'ridge', 'road', 'field', 'bridge', 'ford', 'hedge']);
/** One patchwork of fields for so many square millimetres of a table drawn at its finest. */
const ROOM = 52_000;

export interface Land {
  width: number;
  height: number;
  /** Whether nothing that matters, and nothing drawn before, lies in a ring. */
  free: (ring: Pt[]) => boolean;
  /** Whether a track may run through a place. */
  open: (p: Pt) => boolean;
  take: (ring: Pt[]) => void;
  roads: Pt[][];
  villages: Pt[];
  /** The room of each of them. */
  hamlets: Box[];
}

const grown = (box: Box, by: number): Box => ({ x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by });
const within = (p: Pt, box: Box) => p.x >= box.x && p.y >= box.y && p.x <= box.x + box.width && p.y <= box.y + box.height;

function survey(setting: Setting): Land {
  const [width, height] = [setting.width / 1_000, setting.depth / 1_000];
  const there = (points: Pt[]) => points.map((p) => toSheet(p, setting.depth));
  const areas = setting.ground.flatMap(({ rings, drawn }) => {
    const ring = rings[0];
    return ring ? [{ drawn, rings: rings.map(there), box: boundsOf(there(ring)) }] : [];
  });
  const lines = setting.ground.flatMap(({ line, drawn, width: wide }) => {
    const near = (wide ?? 0) / 2_000 + 6;
    return line.length > 1 ? [{ drawn, steps: walk(there(line), 8), near, box: grown(boundsOf(there(line)), near) }] : [];
  });
  const solid = areas.filter(({ drawn }) => !OPEN.has(drawn));
  const shut = areas.filter(({ drawn }) => !PASSABLE.has(drawn));
  const barred = lines.filter(({ drawn }) => !PASSABLE.has(drawn));
  const taken: { ring: Pt[]; box: Box }[] = [];
  const meet = (a: Pt[], b: Pt[]) => a.some((p) => inside([b], p)) || b.some((p) => inside([a], p));
  return {
    width,
    height,
    free: (ring) => {
      const box = boundsOf(ring);
      if (box.x < 2 || box.y < 2 || box.x + box.width > width - 2 || box.y + box.height > height - 2) return false;
      if (taken.some((other) => overlap(box, other.box) && meet(shrunk(ring), other.ring))) return false;
      if (solid.some((area) => overlap(box, area.box) && (ring.some((p) => inside(area.rings, p)) || meet(ring, area.rings[0] ?? [])))) return false;
      return !lines.some((line) => {
        if (!overlap(box, line.box)) return false;
        const round = grown(box, line.near);
        return line.steps.some((step) => within(step, round) && (inside([ring], step) || ring.some((p) => distance(p, step) < line.near)));
      });
    },
    open: (p) => !shut.some(({ rings, box }) => within(p, box) && inside(rings, p)) && !barred.some(({ steps, near, box }) => within(p, box) && steps.some((step) => distance(step, p) < near)),
    take: (ring) => taken.push({ ring: shrunk(ring), box: boundsOf(ring) }),
    roads: setting.ground.filter(({ drawn, line }) => drawn === 'road' && line.length > 1).map(({ line }) => there(line)),
    hamlets: areas.filter(({ drawn }) => drawn === 'buildings').map(({ box }) => box),
    villages: areas.filter(({ drawn }) => drawn === 'buildings').map(({ box }) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })),
  };
}

/** A ring a little smaller, so that neighbours that share a hedge do not count as lying on each other. */
function shrunk(ring: Pt[]): Pt[] {
  const middle = ring.reduce((sum, p) => ({ x: sum.x + p.x / ring.length, y: sum.y + p.y / ring.length }), { x: 0, y: 0 });
  return ring.map((p) => ({ x: middle.x + (p.x - middle.x) * 0.94, y: middle.y + (p.y - middle.y) * 0.94 }));
}

export const LOOKS = ['life-brook', 'life-tint', 'life-green', 'life-furrows', 'life-meadow', 'life-edge', 'life-hedge', 'life-trees', 'life-track', 'life-lane', 'life-houses'] as const;
export type Drawn = Record<(typeof LOOKS)[number], string[]>;

const dot = (p: Pt, r: number) => `M${at({ x: p.x - r, y: p.y })}a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0 ${(2 * r).toFixed(2)} 0a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0 ${(-2 * r).toFixed(2)} 0`;

/** One field of a patchwork: ploughed along or across, a meadow, or an orchard. */
function field(corners: Pt[], hand: Hand, fine: number, drawn: Drawn) {
  const [a, b, c, d] = corners;
  if (!a || !b || !c || !d) return;
  const mix = (p: Pt, q: Pt, t: number): Pt => ({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t });
  const place = (u: number, v: number) => mix(mix(a, b, u), mix(d, c, u), v);
  const [wide, high] = [distance(a, b), distance(a, d)];
  drawn['life-edge'].push(ringPath(corners));
  const kind = hand.next();
  if (kind < 0.62) {
    if (hand.next() < 0.45) drawn['life-tint'].push(ringPath(corners));
    const along = hand.next() < 0.7;
    const rows = Math.max(2, Math.round((along ? high : wide) / (3.7 * fine)));
    for (let n = 1; n < rows; n++) drawn['life-furrows'].push(linePath(along ? [place(0.03, n / rows), place(0.97, n / rows)] : [place(n / rows, 0.04), place(n / rows, 0.96)]));
  } else if (kind < 0.84) {
    drawn['life-green'].push(ringPath(corners));
    for (let n = 0; n < (wide * high) / (170 * fine * fine); n++) {
      const p = place(hand.between(0.08, 0.92), hand.between(0.1, 0.9));
      drawn['life-meadow'].push(`M${at({ x: p.x - 1.4 * fine, y: p.y })}l${(0.9 * fine).toFixed(2)} ${(-1.5 * fine).toFixed(2)}M${at(p)}v${(-1.9 * fine).toFixed(2)}M${at({ x: p.x + 1.4 * fine, y: p.y })}l${(-0.9 * fine).toFixed(2)} ${(-1.5 * fine).toFixed(2)}`);
    }
  } else {
    drawn['life-green'].push(ringPath(corners));
    const [cols, rows] = [Math.max(2, Math.round(wide / (8.5 * fine))), Math.max(2, Math.round(high / (8.5 * fine)))];
    for (let i = 0; i < cols; i++) for (let j = 0; j < rows; j++) drawn['life-trees'].push(dot(place((i + 0.5) / cols, (j + 0.5) / rows), 1.55 * fine));
  }
}

/** A patchwork: a grid of fields that share their hedges, bent out of the square, some left out. */
function patchwork(land: Land, middle: Pt, angle: number, hand: Hand, fine: number, drawn: Drawn): boolean {
  const [cols, rows] = [2 + Math.floor(hand.next() * 3), 2 + Math.floor(hand.next() * 2)];
  const widths = Array.from({ length: cols }, () => hand.between(26, 62) * fine);
  const heights = Array.from({ length: rows }, () => hand.between(24, 44) * fine);
  const from = { x: -widths.reduce((sum, w) => sum + w, 0) / 2, y: -heights.reduce((sum, h) => sum + h, 0) / 2 };
  const knots = Array.from({ length: rows + 1 }, (_, j) =>
    Array.from({ length: cols + 1 }, (__, i) => {
      const p = { x: from.x + widths.slice(0, i).reduce((sum, w) => sum + w, 0), y: from.y + heights.slice(0, j).reduce((sum, h) => sum + h, 0) };
      const out = turned({ x: p.x + hand.between(-5, 5) * fine, y: p.y + hand.between(-4, 4) * fine }, angle);
      return { x: out.x + middle.x, y: out.y + middle.y };
    }),
  );
  let any = false;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < cols; i++) {
      const [a, b, c, d] = [knots[j]?.[i], knots[j]?.[i + 1], knots[j + 1]?.[i + 1], knots[j + 1]?.[i]];
      if (!a || !b || !c || !d || hand.next() < 0.12 || !land.free([a, b, c, d])) continue;
      field([a, b, c, d], hand, fine, drawn);
      if (hand.next() < 0.4) drawn['life-hedge'].push(linePath(hand.next() < 0.5 ? [a, b] : [b, c]));
      land.take([a, b, c, d]);
      any = true;
    }
  }
  return any;
}

/** Fields lie along the road beside them, as far as one is near. */
function lieOf(land: Land, middle: Pt, hand: Hand): number {
  let [best, angle] = [220, hand.between(-35, 35)];
  for (const road of land.roads) {
    for (const step of walk(road, 20)) {
      const far = distance(step, middle);
      if (far < best) [best, angle] = [far, (Math.atan2(step.nx, -step.ny) * 180) / Math.PI];
    }
  }
  return angle + hand.between(-9, 9);
}

/** A cart track from edge to edge, or from a village to an edge, where nothing is in its way. */
function track(land: Land, hand: Hand, drawn: Drawn) {
  const edge = (side: number): Pt => {
    const t = hand.between(0.12, 0.88);
    return [{ x: t * land.width, y: -4 }, { x: land.width + 4, y: t * land.height }, { x: t * land.width, y: land.height + 4 }, { x: -4, y: t * land.height }][side % 4] ?? { x: 0, y: 0 };
  };
  for (let tries = 0; tries < 24; tries++) {
    const side = Math.floor(hand.next() * 4);
    const start = land.villages.length > 0 && hand.next() < 0.5 ? hand.pick(land.villages as [Pt, ...Pt[]]) : edge(side);
    const end = edge(side + 1 + Math.floor(hand.next() * 3));
    const between = { x: (start.x + end.x) / 2 + hand.between(-0.14, 0.14) * land.width, y: (start.y + end.y) / 2 + hand.between(-0.14, 0.14) * land.height };
    const way = wobbledLine([start, between, end], () => hand.next(), 16, 240);
    const long = way.slice(1).reduce((sum, p, i) => sum + distance(p, way[i] ?? p), 0);
    const beyond = way.filter((p) => !land.villages.some((village) => distance(village, p) < 110) || land.open(p));
    if (long < Math.min(land.width, land.height) * 0.45 || beyond.some((p) => !land.open(p))) continue;
    const seen = way.filter((p) => land.open(p));
    drawn['life-track'].push(linePath(seen));
    for (const step of walk(seen, 34)) if (hand.next() < 0.3) drawn['life-trees'].push(dot({ x: step.x + step.nx * 6, y: step.y + step.ny * 6 }, 1.7));
    land.roads.push(seen);
    for (const step of walk(seen, 12)) land.take([{ x: step.x - 4, y: step.y - 4 }, { x: step.x + 4, y: step.y - 4 }, { x: step.x + 4, y: step.y + 4 }, { x: step.x - 4, y: step.y + 4 }]);
    return;
  }
}

/** A village does not end at the edge that the rules know: lanes run on, with a house here and there, ever fewer. */
function outskirts(land: Land, village: Box, hand: Hand, fine: number, drawn: Drawn) {
  const middle = { x: village.x + village.width / 2, y: village.y + village.height / 2 };
  const many = 4 + Math.floor(hand.next() * 3);
  const turn = hand.next();
  for (let n = 0; n < many; n++) {
    const angle = ((n + turn + hand.between(-0.25, 0.25)) / many) * Math.PI * 2;
    const from = { x: middle.x + Math.cos(angle) * village.width * 0.52, y: middle.y + Math.sin(angle) * village.height * 0.52 };
    const far = hand.between(55, 120) * fine;
    const lane = wobbledLine([from, { x: from.x + Math.cos(angle) * far, y: from.y + Math.sin(angle) * far }], () => hand.next(), 6 * fine, 60 * fine);
    const stop = lane.findIndex((p) => !land.open(p) && !within(p, village));
    const clear = stop < 0 ? lane : lane.slice(0, stop);
    if (clear.length < 3) continue;
    drawn['life-lane'].push(linePath(clear));
    const long = lengthOf(clear);
    for (const step of walk(clear, 8 * fine)) {
      for (const side of [-1, 1]) {
        if (hand.next() > 0.85 - (0.7 * step.along) / long) continue;
        const [w, h, back] = [hand.between(5, 11) * fine, hand.between(4.5, 6.5) * fine, hand.between(6, 9) * fine * side];
        const at = { x: step.x + step.nx * back, y: step.y + step.ny * back };
        const lie = (Math.atan2(step.nx, -step.ny) * 180) / Math.PI + hand.between(-14, 14);
        const walls = [{ x: -w / 2, y: -h / 2 }, { x: w / 2, y: -h / 2 }, { x: w / 2, y: h / 2 }, { x: -w / 2, y: h / 2 }].map((p) => turned(p, lie)).map((p) => ({ x: p.x + at.x, y: p.y + at.y }));
        if (!land.free(walls)) continue;
        drawn['life-houses'].push(ringPath(walls));
        land.take(walls.map((p) => ({ x: at.x + (p.x - at.x) * 1.5, y: at.y + (p.y - at.y) * 1.5 })));
      }
    }
  }
}

/** A brook that the rules know for a stretch only comes from somewhere and goes on: as a rill, to the edge that it runs towards. */
function rills(setting: Setting, land: Land, hand: Hand, fine: number, drawn: Drawn) {
  const pieces = setting.ground.map((ground) => ({ ground, piece: pieceOf(ground, setting) }));
  const waters = pieces.flatMap(({ ground: { drawn: style }, piece }) => (style === 'water' || style === 'river' ? piece.rings.slice(0, 1) : []));
  const rivers = courses(pieces.flatMap(({ ground: { drawn: style, line }, piece }) => (style === 'river' && line.length > 1 ? [piece] : [])), waters);
  for (const course of rivers.values()) {
    for (const { last, wide } of looseEnds(course)) {
      const [end, from] = [last.at(-1) ?? { x: 0, y: 0 }, last.at(-Math.min(5, last.length)) ?? { x: 0, y: 0 }];
      const long = distance(end, from) || 1;
      const way = turned({ x: (end.x - from.x) / long, y: (end.y - from.y) / long }, hand.between(-16, 16));
      const out = [way.x > 0 ? (land.width + 6 - end.x) / way.x : (-6 - end.x) / way.x, way.y > 0 ? (land.height + 6 - end.y) / way.y : (-6 - end.y) / way.y];
      const far = Math.min(...out.filter((one) => Number.isFinite(one) && one > 0), land.width + land.height);
      // It comes out of a wood, if there is one on the way.
      const shut = walk([end, { x: end.x + way.x * far, y: end.y + way.y * far }], 10).find((p) => distance(p, end) > 40 * fine && !land.open(p));
      const reach = shut ? distance(shut, end) + 12 : far;
      const rill = wobbledLine([end, { x: end.x + way.x * reach, y: end.y + way.y * reach }], () => hand.next(), Math.min(14, reach * 0.06), 130 * fine);
      // It begins where the river thins out, so that neither is seen to end.
      const whole = [...last.slice(0, -1), ...rill];
      drawn['life-brook'].push(ringPath(band(whole, (part) => Math.max(1.6 * fine, wide * 0.85 * (1 - part * 1.2)))));
    }
  }
}

/** A country without a village has a farm or two, on its tracks. */
function farms(land: Land, hand: Hand, fine: number, drawn: Drawn) {
  if (land.villages.length > 0) return;
  const places = land.roads.flatMap((road) => walk(road, 25)).filter(({ x, y }) => x > 70 && y > 70 && x < land.width - 70 && y < land.height - 70);
  for (let n = 0, tries = 0; n < 2 && places.length > 0 && tries < 30; tries++) {
    const step = places[Math.floor(hand.next() * places.length)];
    if (!step) continue;
    const side = hand.next() < 0.5 ? -1 : 1;
    const middle = { x: step.x + step.nx * 26 * side * fine, y: step.y + step.ny * 26 * side * fine };
    const angle = (Math.atan2(step.nx, -step.ny) * 180) / Math.PI + hand.between(-12, 12);
    const put = (x: number, y: number, w: number, h: number) => [{ x, y }, { x: x + w, y }, { x: x + w, y: y + h }, { x, y: y + h }].map((p) => turned({ x: p.x * fine, y: p.y * fine }, angle)).map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }));
    const yard = put(-22, -16, 44, 32);
    if (!land.free(yard)) continue;
    for (const walls of [put(-16, -12, 22, 7), put(9, -10, 7, 19), put(-15, 4, 12, 6)]) drawn['life-houses'].push(ringPath(walls));
    for (let i = 0; i < 9; i++) {
      const spot = put(hand.between(-21, 20), hand.between(11, 15), 1, 1)[0];
      if (spot) drawn['life-trees'].push(dot(spot, hand.between(1.3, 2) * fine));
    }
    land.take(yard);
    n++;
  }
}

export function life(setting: Setting): Mark[] {
  const hand = new Hand(`${setting.title} ${setting.place ?? ''} life`);
  const land = survey(setting);
  const fine = fineness(setting);
  const drawn = Object.fromEntries(LOOKS.map((look) => [look, []])) as unknown as Drawn;
  rills(setting, land, hand, fine, drawn);
  town(setting, land, hand, fine, drawn);
  for (const village of land.hamlets) outskirts(land, village, hand, fine, drawn);
  const roads = land.roads.length;
  for (let n = 0; n < (roads === 0 ? 3 : roads < 3 ? 2 : 1); n++) track(land, hand, drawn);
  farms(land, hand, fine, drawn);
  const many = Math.min(46, Math.round((land.width * land.height) / (ROOM * fine * fine)));
  for (let n = 0, tries = 0; n < many && tries < many * 5; tries++) {
    const home = land.villages.length > 0 && tries < many ? hand.pick(land.villages as [Pt, ...Pt[]]) : null;
    const [far, way] = [hand.between(60, 190) * fine, hand.between(0, Math.PI * 2)];
    const middle = home ? { x: home.x + Math.cos(way) * far, y: home.y + Math.sin(way) * far } : { x: hand.between(0, land.width), y: hand.between(0, land.height) };
    if (patchwork(land, middle, lieOf(land, middle, hand), hand, fine, drawn)) n++;
  }
  for (let n = 0; n < many * 5; n++) {
    const p = { x: hand.between(8, land.width - 8), y: hand.between(8, land.height - 8) };
    const r = hand.between(1.2, 2.1) * fine;
    if (land.free([{ x: p.x - r, y: p.y - r }, { x: p.x + r, y: p.y - r }, { x: p.x + r, y: p.y + r }, { x: p.x - r, y: p.y + r }])) drawn['life-trees'].push(dot(p, r));
  }
  return LOOKS.map((look) => ({ look, d: drawn[look].join('') })).filter(({ d }) => d !== '');
}
