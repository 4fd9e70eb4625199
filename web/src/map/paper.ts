/** How a battle lies on paper: the map on a page, the roster of a side. */

import type { Setting } from '../protocol/Setting';
import type { Side } from '../protocol/Side';
import type { UnitView } from '../protocol/UnitView';
import type { View } from '../protocol/View';
import { marginOf } from './sheet';

/** What an A4 page holds within its margins, in pixels of paper. */
const [LONG, SHORT] = [1_055, 725];
/** Print is read closer than a screen: names are set so much smaller on it. */
const CLOSER = 1.3;

/** Whether the page stands upright, and the scale at which names are set so that they are read on it. */
export function paperOf(setting: Setting): { upright: boolean; scale: number } {
  const margin = 2 * marginOf(setting, false);
  const [width, height] = [setting.width / 1000 + margin, setting.depth / 1000 + margin];
  const upright = height > width;
  const [across, down] = upright ? [SHORT, LONG] : [LONG, SHORT];
  return { upright, scale: Math.min(across / width, down / height) * CLOSER };
}

export interface RosterGroup {
  name: string;
  officer: string;
  units: UnitView[];
}

/** The units of a side under their commands, in the order in which the scenario has them; those without one come last. */
export function rosterOf(view: View, side: Side): RosterGroup[] {
  const own = view.units.filter((unit) => unit.side === side);
  const groups = view.commands.map((command) => ({
    name: command.name,
    officer: view.officers.find(({ id }) => id === command.officer)?.name ?? '',
    units: own.filter((unit) => unit.command === command.id),
  }));
  const known = new Set(view.commands.map(({ id }) => id));
  const loose = own.filter((unit) => unit.command === null || !known.has(unit.command));
  return [...groups, { name: '', officer: '', units: loose }].filter(({ units }) => units.length > 0);
}
