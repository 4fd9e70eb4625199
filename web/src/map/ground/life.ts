/** A bit of life between what matters: fields, hedgerows, orchards, tracks. It means nothing in the rules, and is faint enough to say so. */

import type { Setting } from '../../protocol/Setting';
import { at, boundsOf, distance, inside, linePath, overlap, ringPath, toSheet, turned, walk, wobbledLine, type Box, type Pt } from '../geometry';
import { Hand } from '../random';
import type { Mark } from './mark';

/** One patch of something for so many square millimetres. */
const ROOM = 26_000;

export function life(setting: Setting): Mark[] {
  const hand = new Hand(`${setting.title} ${setting.place ?? ''} life`);
  const [width, height] = [setting.width / 1_000, setting.depth / 1_000];
  const rings = setting.ground.map((piece) => piece.rings.map((ring) => ring.map((p) => toSheet(p, setting.depth))));
  const areas = rings.flatMap((each) => (each[0] ? [{ rings: each, box: boundsOf(each[0]) }] : []));
  const lines = setting.ground.flatMap((piece) => {
    const line = piece.line.map((p) => toSheet(p, setting.depth));
    return line.length > 1 ? [{ steps: walk(line, 8), near: (piece.width ?? 0) / 2_000 + 5 }] : [];
  });
  const taken: Box[] = [];
  /** A hill is no reason not to plough; anything else is. */
  const solid = areas.filter((_, i) => !['hill', 'ridge'].includes(setting.ground.filter((piece) => piece.rings.length > 0)[i]?.drawn ?? ''));
  const free = (points: Pt[]) => {
    const box = boundsOf(points);
    if (box.x < 4 || box.y < 4 || box.x + box.width > width - 4 || box.y + box.height > height - 4) return false;
    if (taken.some((other) => overlap(box, other))) return false;
    if (solid.some((area) => overlap(box, area.box) && (points.some((p) => inside(area.rings, p)) || (area.rings[0] ?? []).some((p) => inside([points], p))))) return false;
    return !lines.some(({ steps, near }) => steps.some((step) => inside([points], step) || points.some((p) => distance(p, step) < near)));
  };
  const [furrows, edges, trees, hedges, tracks]: [string[], string[], string[], string[], string[]] = [[], [], [], [], []];
  const many = Math.min(90, Math.round((width * height) / ROOM));
  for (let n = 0, tries = 0; n < many && tries < many * 6; tries++) {
    const angle = hand.pick([8, 24, 70, 98, 115, 160] as const) + hand.between(-6, 6);
    const [w, h] = [hand.between(34, 82), hand.between(24, 52)];
    const middle = { x: hand.between(0, width), y: hand.between(0, height) };
    const put = (p: Pt): Pt => {
      const there = turned(p, angle);
      return { x: there.x + middle.x, y: there.y + middle.y };
    };
    const skew = hand.between(-6, 6);
    const corners = [{ x: -w / 2 + skew, y: -h / 2 }, { x: w / 2 + skew, y: -h / 2 }, { x: w / 2, y: h / 2 }, { x: -w / 2, y: h / 2 }].map(put);
    if (!free(corners)) continue;
    taken.push(boundsOf(corners));
    n++;
    const kind = hand.next();
    if (kind < 0.7) {
      edges.push(ringPath(corners));
      const [from, to] = [corners[n % 4], corners[(n + 1) % 4]];
      if (from && to && hand.next() < 0.5) hedges.push(linePath([from, to]));
      for (let y = -h / 2 + 4; y < h / 2; y += 4.4) furrows.push(linePath([put({ x: -w / 2 + 2, y }), put({ x: w / 2 - 2, y })]));
    } else if (kind < 0.88) {
      for (let y = -h / 2 + 4; y < h / 2 - 2; y += 8) for (let x = -w / 2 + 4; x < w / 2 - 2; x += 8) trees.push(`M${at(put({ x, y }))}m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0`);
    } else {
      const line = wobbledLine([put({ x: -w * 0.9, y: 0 }), put({ x: w * 0.9, y: 0 })], () => hand.next(), 5, 50);
      if (line.every((p) => free([p, { x: p.x + 0.1, y: p.y }, { x: p.x, y: p.y + 0.1 }]) || inside([corners], p))) tracks.push(linePath(line));
    }
  }
  return [
    { look: 'life-furrows', d: furrows.join('') },
    { look: 'life-edge', d: edges.join('') },
    { look: 'life-trees', d: trees.join('') },
    { look: 'life-hedge', d: hedges.join('') },
    { look: 'life-track', d: tracks.join('') },
  ].filter(({ d }) => d !== '');
}
