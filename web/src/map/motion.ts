/** What is seen to happen between two moments: marches, recoils, routs, shots. It lasts 200 to 600 ms and says no more than the story does. */

import type { StoryLine } from '../protocol/StoryLine';
import type { UnitView } from '../protocol/UnitView';
import { turned, type Pt } from './geometry';
import type { Symbol as Arm } from '../protocol/Symbol';

/** Where a unit stood, in millimetres of the sheet, and which way it faced, in degrees. */
export interface Stance extends Pt {
  heading: number;
}

export interface Motion {
  kind: 'march' | 'recoil' | 'rout';
  duration: number;
  easing: string;
  /** What it turns about on the way, in millimetres of the sheet. */
  about: Pt;
  /** Where it is drawn on the way, from where it stood to where it stands. */
  frames: { transform: string; offset?: number }[];
}

const [SHORTEST, LONGEST] = [200, 600];

/** The turn from one heading to another, the short way. */
const between = (from: number, to: number) => ((((from - to + 180) % 360) + 360) % 360) - 180;

/** From so many degrees a turn is seen as one, and up to so many it is a wheel; beyond, a unit has faced about and gone. */
const [WHEEL, ABOUT] = [3, 110];

/** The place that stays where it is while a unit comes from one stance to another by turning alone: a corner, when it wheels. */
function pivotOf(from: Stance, to: Stance): Pt {
  const turn = (between(to.heading, from.heading) * Math.PI) / 180;
  const [less, sine] = [1 - Math.cos(turn), Math.sin(turn)];
  const back = turned(from, (turn * 180) / Math.PI);
  const [x, y] = [to.x - back.x, to.y - back.y];
  return { x: (less * x - sine * y) / (2 * less), y: (sine * x + less * y) / (2 * less) };
}

/** The ways that are about to be gone, in millimetres of the sheet: one that bends with a road is marched along, not cut short. */
const planned = new Map<string, Pt[]>();

/** Somebody is about to go a way. */
export function setOut(unit: string, way: Pt[]) {
  if (way.length > 2) planned.set(unit, way);
}

/** The way that a unit was about to go, once; nothing where it is not the one from here to there. */
export function wayOf(unit: string, from: Pt, to: Pt): Pt[] {
  const way = planned.get(unit) ?? [];
  planned.delete(unit);
  const near = (a: Pt | undefined, b: Pt) => a !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < 4;
  return near(way[0], from) && near(way.at(-1), to) ? way : [];
}

/** Along a way that bends: at each of its corners when it comes to it, facing as the next stretch runs. */
function along(way: Pt[], from: Stance, to: Stance): Motion {
  const legs = way.slice(1).map((p, i) => Math.hypot(p.x - (way[i]?.x ?? p.x), p.y - (way[i]?.y ?? p.y)));
  const whole = legs.reduce((sum, leg) => sum + leg, 0) || 1;
  const frames = way.map((p, i) => {
    const next = way[i + 1];
    const heading = i === 0 ? from.heading : next ? (Math.atan2(next.x - p.x, p.y - next.y) * 180) / Math.PI : to.heading;
    const gone = legs.slice(0, i).reduce((sum, leg) => sum + leg, 0);
    return { transform: `translate(${(p.x - to.x).toFixed(2)}px, ${(p.y - to.y).toFixed(2)}px) rotate(${between(heading, to.heading).toFixed(2)}deg)`, offset: Math.min(1, gone / whole) };
  });
  return { kind: 'march', duration: Math.min(LONGEST, SHORTEST + whole * 2.2), easing: 'ease-in-out', about: to, frames };
}

/** How a unit goes from one place to another: forwards it marches, backwards it recoils, and with its back to the enemy it runs. */
export function motionOf(from: Stance, to: Stance, way: Pt[] = []): Motion | null {
  const [dx, dy] = [from.x - to.x, from.y - to.y];
  const far = Math.hypot(dx, dy);
  const turn = between(from.heading, to.heading);
  if (far < 0.01 && Math.abs(turn) < 0.01) return null;
  // On the sheet a heading of 0 points up.
  const ahead = turned({ x: 0, y: -1 }, from.heading);
  const forward = far === 0 ? 1 : (-dx * ahead.x - dy * ahead.y) / far;
  const at = (part: number, sway = 0) => ({ transform: `translate(${(dx * part).toFixed(2)}px, ${(dy * part).toFixed(2)}px) rotate(${(turn * part + sway).toFixed(2)}deg)` });
  const there = { transform: 'none' };
  if (forward < -0.3 && Math.abs(turn) > 90) {
    return { kind: 'rout', duration: LONGEST, easing: 'ease-in', about: to, frames: [at(1), at(0.96, 5), at(0.78, -5), at(0.52, 4), at(0.24, -3), there] };
  }
  if (forward < -0.3 && far > 1) return { kind: 'recoil', duration: 320, easing: 'ease-out', about: to, frames: [at(1), at(-0.06), there] };
  const march = { kind: 'march' as const, duration: Math.min(LONGEST, SHORTEST + far * 2.2), easing: 'ease-in-out' };
  if (way.length > 2) return along(way, from, to);
  // A wheel goes round its corner: straight across, the corner that stands would leave its place.
  if (Math.abs(turn) >= WHEEL && Math.abs(turn) <= ABOUT) return { ...march, about: pivotOf(from, to), frames: [{ transform: `rotate(${turn.toFixed(2)}deg)` }, { transform: 'rotate(0deg)' }] };
  return { ...march, about: to, frames: [at(1), there] };
}

/** The words by which the books call a throw for shots, and those by which the story tells that somebody shot. */
const THROWN = /^(shooting|artillery|battering|flanking musketry)$/i;
const TOLD = /\b(bombards?|bombarded|shoots?|shot|fires?|fired|volleys?|batters?)\b/i;
const GUNS = new Set<Arm>(['guns', 'horse_guns', 'heavy_guns', 'howitzers']);

export interface Shot {
  unit: string;
  guns: boolean;
  /** Along the front of each stand, in micrometres of the table. */
  fronts: [Pt, Pt][];
}

/** Who shot in a line of the story: those that a throw for shots was made for, or of whom it is told. */
export function shotsIn(line: StoryLine, units: UnitView[]): Shot[] {
  const shooting = line.parts.flatMap(({ roll, about, text }) => {
    if (roll) return roll.of && THROWN.test(roll.what) ? [roll.of] : [];
    return about && TOLD.test(text) ? [about] : [];
  });
  return [...new Set(shooting)].flatMap((id) => {
    const unit = units.find((one) => one.id === id);
    if (!unit || unit.stands.length === 0) return [];
    const guns = GUNS.has(unit.symbol);
    // Foot gives its volley from the first rank only: the stands that stand foremost.
    const heading = (unit.pose?.heading ?? 0) / 100;
    const depth = ([left]: Pt[]) => (left ? turned(left, heading).y : 0);
    const front = Math.max(...unit.stands.map(depth));
    const fronts = unit.stands.filter((stand) => depth(stand) > front - 4_000).flatMap(([left, right]): [Pt, Pt][] => (left && right ? [[left, right]] : []));
    return [{ unit: id, guns, fronts }];
  });
}

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
