/** Where something happened between two looks at the table. */

import type { Decision } from '../protocol/Decision';
import type { StoryLine } from '../protocol/StoryLine';
import type { View } from '../protocol/View';

/** Those that moved, turned, came, went or lost something. */
export function stirred(before: View, after: View): string[] {
  const was = new Map(before.units.map((unit) => [unit.id as string, unit]));
  const units = after.units.filter((unit) => {
    const old = was.get(unit.id);
    return unit.pose !== null && JSON.stringify([old?.pose, old?.stands.length, old?.markers]) !== JSON.stringify([unit.pose, unit.stands.length, unit.markers]);
  });
  const stood = new Map(before.officers.map((officer) => [officer.id as string, JSON.stringify(officer.at)]));
  const officers = after.officers.filter((officer) => officer.at !== null && stood.get(officer.id) !== JSON.stringify(officer.at));
  return [...units.map(({ id }) => id as string), ...officers.map(({ id }) => id as string)];
}

/** What the last line of the story and the decision are about, where nobody moved. */
export function concerned(line: StoryLine | null, decision: Decision | null): string[] {
  const { reaction } = decision ?? {};
  if (reaction) return [...reaction.reactors, ...(reaction.mover ? [reaction.mover] : [])];
  return (line?.parts ?? []).flatMap(({ about }) => (about && /^[#@]/.test(about) ? [about] : []));
}
