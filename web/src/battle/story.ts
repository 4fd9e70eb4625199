/** The story as it grows, and what can be read off it. */

import type { RollRecord } from '../protocol/RollRecord';
import type { Side } from '../protocol/Side';
import type { StoryLine } from '../protocol/StoryLine';
import type { StoryPart } from '../protocol/StoryPart';

/** The story after news: what was taken back is gone, what is new is at the end, nothing stands there twice. */
export function goOn(story: StoryLine[], moment: number, fresh: StoryLine[]): StoryLine[] {
  const from = fresh[0]?.moment ?? moment + 1;
  return [...story.filter((line) => line.moment < from && line.moment <= moment), ...fresh];
}

/** At most so many lines tell what came of dice. */
const CAME = 2;

/** Whether a part says only that a side's phase begins, as every book has it: "French: movement." It is a heading, and no news of anybody. */
export function isHeading({ text, about, roll }: StoryPart, sides: string[]): boolean {
  return about === null && roll === null && sides.some((side) => text.startsWith(`${side}: `)) && !/\d/.test(text);
}

/** What came of the dice of a line: what is told after the last of them and before the next phase begins, of somebody before of nobody. */
export function cameOf({ parts, text }: StoryLine, sides: string[]): string[] {
  const told = parts.slice(parts.findLastIndex(({ roll }) => roll !== null) + 1);
  const next = told.findIndex((part) => isHeading(part, sides));
  const after = (next < 0 ? told : told.slice(0, next)).filter((part) => part.text !== text);
  const ofSomebody = after.filter(({ about }) => about !== null);
  return (ofSomebody.length > 0 ? ofSomebody : after).slice(0, CAME).map((part) => part.text);
}

export interface LuckPoint {
  moment: number;
  a: number;
  b: number;
}

export const rollsOf = (line: StoryLine): RollRecord[] => line.parts.flatMap((part) => (part.roll ? [part.roll] : []));

/** How lucky each side has been so far, after every entry with dice. */
export function luck(story: StoryLine[]): LuckPoint[] {
  const points: LuckPoint[] = [];
  let [a, b] = [0, 0];
  for (const line of story) {
    const rolls = rollsOf(line);
    if (rolls.length === 0) continue;
    for (const roll of rolls) {
      if (roll.side === 'A') a += roll.luck;
      else b += roll.luck;
    }
    points.push({ moment: line.moment, a, b });
  }
  return points;
}

export const luckOf = (points: LuckPoint[], side: Side): number => {
  const last = points.at(-1);
  return last ? (side === 'A' ? last.a : last.b) : 0;
};

/** A fraction such as `5/12` as a number. */
export function fraction(text: string): number | null {
  const [top, bottom = '1'] = text.split('/');
  const value = Number(top) / Number(bottom);
  return Number.isFinite(value) ? value : null;
}

/** Whether a roll got what was wanted; nothing where it was not about that. */
export function met(roll: RollRecord): boolean | null {
  if (typeof roll.wanted === 'string') return null;
  return 'at_most' in roll.wanted ? roll.total <= roll.wanted.at_most : roll.total >= roll.wanted.at_least;
}
