/** Names beside units, none over another. */

import { overlap, type Box, type Pt } from './geometry';

export interface Wish {
  id: string;
  text: string;
  /** What it stands beside. */
  room: Box;
  /** Shown whatever it covers: the unit is chosen or hovered over. */
  must: boolean;
}

export interface Label {
  id: string;
  text: string;
  at: Pt;
}

/** About how wide a letter is, in parts of its height. */
export const LETTER = 0.46;

const holds = (outer: Box, box: Box) =>
  box.x >= outer.x && box.y >= outer.y && box.x + box.width <= outer.x + outer.width && box.y + box.height <= outer.y + outer.height;

/** Below, above, then to the right and left of the unit; where none of them is free the name is left out. */
function places({ text, room }: Wish, size: number, sideways: boolean): Pt[] {
  const half = (text.length * size * LETTER) / 2;
  const [x, y] = [room.x + room.width / 2, room.y + room.height / 2];
  const gap = size * 0.62;
  if (sideways) {
    return [
      { x: room.x + room.width + gap, y },
      { x: room.x - gap, y },
      { x, y: room.y + room.height + half + gap / 2 },
      { x, y: room.y - half - gap / 2 },
      { x: room.x + room.width + gap * 2.4, y },
      { x: room.x - gap * 2.4, y },
    ];
  }
  return [
    { x, y: room.y + room.height + gap },
    { x, y: room.y - gap },
    { x: room.x + room.width + half + gap / 2, y },
    { x: room.x - half - gap / 2, y },
    { x, y: room.y + room.height + gap * 2.4 },
    { x, y: room.y - gap * 2.4 },
  ];
}

/**
 * Names within a box where there is one: what is written beyond the sheet cannot be read. On a sheet that lies on its side they run up and down.
 * `busy` is what a name can be read on, and is better not written on.
 */
export function placeLabels(wishes: Wish[], blocks: Box[], size: number, within?: Box, sideways = false, busy: Box[] = []): Label[] {
  const taken: Box[] = [];
  const labels: Label[] = [];
  const ordered = [...wishes].sort((a, b) => Number(b.must) - Number(a.must));
  for (const wish of ordered) {
    // A little air between two names in a row.
    const width = (wish.text.length + 0.8) * size * LETTER;
    const [wide, high] = sideways ? [size, width] : [width, size];
    const boxAt = (p: Pt): Box => ({ x: p.x - wide / 2, y: p.y - high / 2, width: wide, height: high });
    const candidates = places(wish, size, sideways);
    const free = candidates.filter((p) => {
      const box = boxAt(p);
      if (within && !holds(within, box)) return false;
      return !taken.some((other) => overlap(box, other)) && !blocks.some((block) => overlap(box, block));
    });
    const clear = busy.length === 0 ? undefined : free.find((p) => !busy.some((other) => overlap(boxAt(p), other)));
    const spot = clear ?? free[0] ?? (wish.must ? candidates[0] : undefined);
    if (!spot) continue;
    taken.push(boxAt(spot));
    labels.push({ id: wish.id, text: wish.text, at: spot });
  }
  return labels;
}
