/** The names of troops on a sheet, and all that they and their names cover. */

import type { View } from '../protocol/View';
import { boundsOf, toSheet, turned, type Box } from './geometry';
import { busyGround } from './ground/names';
import { LETTER, placeLabels, type Label, type Wish } from './labels';
import { drawUnit } from './unit';

/** Below so many pixels to a millimetre names are only shown on asking. */
const LEGIBLE = 0.24;

/** How large names are, in millimetres of the sheet. */
export const nameSize = (scale: number) => Math.min(Math.max(6, 12.5 / scale), 46);

/** Markers and pennants stay legible when the sheet is far away. */
export const largeness = (scale: number) => Math.min(Math.max(0.95, 1.15 / scale), 2.7);

/** Whether the sheet lies on its side: what is read from left to right then runs up or down on it. */
export const sideways = (turn: number) => Math.abs(Math.cos((turn * Math.PI) / 180)) < 0.7;

/** Where everybody stands: a box for each stand, and one for each pennant, which stands upright however the sheet is turned. */
function stood(view: View, scale: number, turn: number) {
  const { depth } = view.setting;
  const large = largeness(scale);
  const units = view.units.flatMap((unit) => {
    const drawn = drawUnit(unit, depth);
    return drawn ? [{ id: unit.id as string, text: unit.name, room: drawn.room, boxes: drawn.boxes }] : [];
  });
  const officers = view.officers.flatMap((officer) => {
    if (!officer.at) return [];
    const at = toSheet(officer.at, depth);
    const corners = [{ x: -3, y: -15 }, { x: 10, y: -15 }, { x: 10, y: 3 }, { x: -3, y: 3 }].map((p) => turned({ x: p.x * large, y: p.y * large }, -turn));
    const room = boundsOf(corners.map((p) => ({ x: at.x + p.x, y: at.y + p.y })));
    return [{ id: officer.id as string, text: officer.name, room, boxes: [room] }];
  });
  return [...units, ...officers];
}

/** Names stay on the table: what crosses its frame is read badly. */
const sheet = ({ setting }: View): Box => ({ x: 0, y: 0, width: setting.width / 1000, height: setting.depth / 1000 });

/** Houses, walls, water and roads: names of troops keep off them where they can. */
const busy = ({ setting }: View): Box[] => [
  ...busyGround(setting).flatMap(({ boxes }) => boxes),
  ...setting.ground.flatMap(({ drawn, rings }) => (drawn === 'buildings' && rings[0] ? [boundsOf(rings[0].map((p) => toSheet(p, setting.depth)))] : [])),
];

/** The names to be shown, none over another or over a unit; those asked for whatever they cover. Those left out have something else written there. */
export function troopNames(view: View, scale: number, turn = 0, asked: (string | null)[] = [], without: string[] = []): Label[] {
  const all = stood(view, scale, turn);
  const wishes: Wish[] = all.filter(({ id }) => (scale >= LEGIBLE || asked.includes(id)) && !without.includes(id)).map(({ id, text, room }) => ({ id, text, room, must: asked.includes(id) }));
  return placeLabels(wishes, all.flatMap(({ boxes }) => boxes), nameSize(scale), sheet(view), sideways(turn), busy(view));
}

/** All that troops and their names cover, whoever is pointed at. */
export function covering(view: View, scale: number, turn = 0): Box[] {
  const size = nameSize(scale);
  const names = troopNames(view, scale, turn).map(({ text, at }) => {
    const width = text.length * size * LETTER;
    return sideways(turn) ? { x: at.x - size / 2, y: at.y - width / 2, width: size, height: width } : { x: at.x - width / 2, y: at.y - size / 2, width, height: size };
  });
  return [...stood(view, scale, turn).flatMap(({ boxes }) => boxes), ...names];
}
