/** A table kept together: what happened, folded into the battle that every telephone shows. */
import type { BookTurn } from '../protocol/BookTurn';
import type { Happened } from '../protocol/Happened';
import type { TableLine } from '../protocol/TableLine';
import { marked, ordered, told, type KeptBattle } from './kept';

/** One thing that happened, in the battle. Who wrote it is told with questions, decisions and letters. */
export function happen(battle: KeptBattle, book: BookTurn, happened: Happened, by = ''): KeptBattle {
  switch (happened.what) {
    case 'began':
      return { ...(happened.battle as KeptBattle), lines: [], letters: [], hidden: [] };
    case 'marked':
      return marked(battle, book, happened.unit, happened.mark, happened.to);
    case 'ordered':
      return ordered(battle, book, happened.side, happened.command, happened.order);
    case 'went':
      return { ...battle, turn: happened.turn, step: happened.step, done: happened.turn === battle.turn ? battle.done : [] };
    case 'ticked': {
      const { task } = happened;
      return { ...battle, done: battle.done.includes(task) ? battle.done.filter((one) => one !== task) : [...battle.done, task] };
    }
    case 'told':
      return told(battle, book, happened.text, happened.chance ?? undefined);
    case 'sent':
      return { ...battle, letters: [...(battle.letters ?? []), { by, to: happened.to, text: happened.text, arrives: happened.arrives }] };
    case 'hidden': {
      const others = (battle.hidden ?? []).filter((unit) => unit !== happened.unit);
      return { ...battle, hidden: happened.hidden ? [...others, happened.unit] : others };
    }
    case 'disputed':
      return told(battle, book, `${by} ? ${happened.text}`);
    case 'ruled':
      return told(battle, book, `! ${happened.text}`);
  }
}

/** The battle that a list of lines leads to. */
export function folded(lines: TableLine[], book: BookTurn): KeptBattle | null {
  let battle: KeptBattle | null = null;
  for (const { by, n: _n, ...happened } of lines) {
    if (happened.what === 'began') battle = happen({} as KeptBattle, book, happened, by);
    else if (battle) battle = happen(battle, book, happened, by);
  }
  return battle;
}

/** A seat at a table: its id and the secret of the seat. */
export interface TableSeat {
  id: string;
  secret: string;
}

const KEY = 'sabretache.table';

/** The seat that a link gives (`#table=id.secret`), or the one that this telephone had. */
export function seatAt(ruleset: string, hash: string, storage: Storage = localStorage): TableSeat | null {
  const given = /table=([0-9a-f]+)\.([0-9a-f]+)/.exec(hash);
  if (given?.[1] && given[2]) {
    const seat = { id: given[1], secret: given[2] };
    keepSeat(ruleset, seat, storage);
    return seat;
  }
  try {
    return (JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, TableSeat>)[ruleset] ?? null;
  } catch {
    return null;
  }
}

export function keepSeat(ruleset: string, seat: TableSeat | null, storage: Storage = localStorage) {
  let all: Record<string, TableSeat> = {};
  try {
    all = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, TableSeat>;
  } catch {
    // What cannot be read is begun anew.
  }
  const { [ruleset]: _old, ...others } = all;
  storage.setItem(KEY, JSON.stringify(seat ? { ...others, [ruleset]: seat } : others));
}

/** How the dice fell, as far as it was told: how many tests, how likely what happened was on the whole, and the least likely of it. */
export function luckOf(battle: KeptBattle): { tests: number; mean: number; rare: { text: string; chance: number }[] } | null {
  const known = battle.lines.flatMap(({ text, chance }) => (chance === undefined ? [] : [{ text, chance }]));
  if (known.length === 0) return null;
  const mean = Math.exp(known.reduce((sum, { chance }) => sum + Math.log(Math.max(chance, 1e-9)), 0) / known.length);
  return { tests: known.length, mean, rare: [...known].sort((a, b) => a.chance - b.chance).slice(0, 3) };
}
