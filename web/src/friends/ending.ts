/** How the players themselves ended a battle, with their names: the engine knows sides only. */

import type { Side } from '../protocol/Side';
import { t } from '../strings';

const GIVEN_UP = /^Side ([AB]) has given the battle up\.$/;
const NO_TIME = /^Side ([AB]) has no time left\.$/;

export function endingOf(sentence: string, nameOf: (side: Side) => string): string {
  const given = GIVEN_UP.exec(sentence)?.[1];
  if (given) return t.friends.gaveUp(nameOf(given as Side));
  const late = NO_TIME.exec(sentence)?.[1];
  if (late) return t.friends.ranOut(nameOf(late as Side));
  return sentence === 'Drawn by agreement.' ? t.friends.drawn : sentence;
}
