/** What a token is called. */

import type { View } from '../protocol/View';
import { language } from '../words/language';

export const nameOf = (view: View | null, token: string): string =>
  view?.units.find(({ id }) => id === token)?.name ??
  view?.officers.find(({ id }) => id === token)?.name ??
  view?.commands.find(({ id }) => id === token)?.name ??
  view?.setting.ground.find(({ id }) => id === token)?.name ??
  token;

/** A side within a sentence: "the French", whether the scenario has its article or not; but "Graham's division". Other languages have no use for the article. */
export function theSide(name: string, within: string = language.now): string {
  if (/^\S+['’]s /.test(name)) return name;
  const bare = name.replace(/^the /i, '');
  return within === 'en' ? `the ${bare}` : bare;
}

/** A computer player's name without the word that a person throws its dice. */
export const withoutHand = (name: string) => name.replace(/\+hand$/, '');

/** A question without the turn and the phase that it begins with, which stand beside it: "Turn 1, combat, the French: which is next?" */
export function withoutWhen(sentence: string, turn: number | null, phase: string): string {
  const begun = `Turn ${turn}`;
  if (turn === null || !sentence.startsWith(`${begun}:`) && !sentence.startsWith(`${begun}, `)) return sentence;
  const rest = sentence.slice(begun.length + 1).trimStart();
  const asked = phase !== '' && rest.startsWith(`${phase}, `) ? rest.slice(phase.length + 2) : rest;
  return asked.charAt(0).toUpperCase() + asked.slice(1);
}
