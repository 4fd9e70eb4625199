/** A battle with real figures, kept roughly: whose turn it is, what is to be done, what the units are marked with. */

import type { BookTurn } from '../protocol/BookTurn';
import type { TurnPhase } from '../protocol/TurnPhase';

export interface KeptUnit {
  key: string;
  name: string;
  side: number;
  command: string;
  /** What it is: `foot`, `horse`, `guns`; not known of troops written by hand. */
  arm?: string;
  marks: Record<string, number>;
}

export interface KeptLine {
  turn: number;
  phase: string;
  text: string;
  /** How likely it was, where that is known. */
  chance?: number;
}

/** A letter or an order that went off with a messenger. */
export interface KeptLetter {
  by: string;
  to: string;
  text: string;
  arrives: number;
}

export interface KeptBattle {
  ruleset: string;
  title: string;
  sides: string[];
  units: KeptUnit[];
  /** 0 while it is being set up. */
  turn: number;
  /** Which step of the turn. */
  step: number;
  /** What has been done in this turn, by step and task. */
  done: string[];
  lines: KeptLine[];
  letters?: KeptLetter[];
  /** The keys of units that the enemy does not see. */
  hidden?: string[];
  /** The orders of commands, by side and name. */
  orders?: Record<string, string>;
}

export const orderKey = (side: number, command: string) => `${side}:${command}`;

/** Foot, horse or guns, of the symbol that a unit has on the map. */
export const armOf = (symbol: string): string => (/gun|howitzer/i.test(symbol) ? 'guns' : /horse|dragoon/i.test(symbol) ? 'horse' : 'foot');

/** The marks that a unit can have: some are of one arm alone. */
export const marksOf = (unit: KeptUnit, book: BookTurn) => book.marks.filter(({ only }) => !only || unit.arm === undefined || only === unit.arm);

/** Troops written by hand: a unit a line, `Command: unit` where it stands under one. */
export function written(text: string, side: number, book: BookTurn): KeptUnit[] {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  return lines.map((line, n) => {
    const [, command = '', name = line] = /^([^:]+):\s*(.+)$/.exec(line) ?? [];
    return { key: `${side === 0 ? 'a' : 'b'}${n + 1}`, name, side, command, marks: Object.fromEntries(book.marks.map(({ key }) => [key, 0])) };
  });
}

export interface Step {
  phase: TurnPhase;
  /** Whose phase it is; null for both. */
  side: number | null;
}

/** The steps of a turn: phases of both sides once, those of each side in the order of the book. */
export function stepsOf(turn: BookTurn): Step[] {
  const steps: Step[] = [];
  let each: TurnPhase[] = [];
  const flush = () => {
    for (const side of [0, 1]) steps.push(...each.map((phase) => ({ phase, side })));
    each = [];
  };
  for (const phase of turn.phases) {
    if (phase.whose === 'each') {
      each.push(phase);
      if (!turn.by_side) flush();
    } else {
      flush();
      steps.push({ phase, side: null });
    }
  }
  flush();
  return steps;
}

export const stepNow = (battle: KeptBattle, turn: BookTurn): Step => (battle.turn === 0 ? { phase: turn.before, side: null } : (stepsOf(turn)[battle.step] ?? { phase: turn.before, side: null }));

export const taskId = (step: number, task: number) => `${step}.${task}`;

/** What was to be done in earlier steps of this turn and has not been ticked. */
export function forgotten(battle: KeptBattle, turn: BookTurn): string[] {
  if (battle.turn === 0) return [];
  return stepsOf(turn)
    .slice(0, battle.step)
    .flatMap(({ phase, side }, n) => phase.tasks.flatMap((task, i) => (battle.done.includes(taskId(n, i)) ? [] : [`${phase.name}${side === null ? '' : ` (${battle.sides[side] ?? ''})`}: ${task.text}`])));
}

const phaseName = (battle: KeptBattle, turn: BookTurn): string => {
  const { phase, side } = stepNow(battle, turn);
  return side === null ? phase.name : `${phase.name}, ${battle.sides[side] ?? ''}`;
};

/** One step on; after the last a new turn begins, and nothing has been done in it. */
export function onward(battle: KeptBattle, turn: BookTurn): KeptBattle {
  if (battle.turn === 0) return { ...battle, turn: 1, step: 0, done: [] };
  const last = battle.step + 1 >= stepsOf(turn).length;
  return last ? { ...battle, turn: battle.turn + 1, step: 0, done: [] } : { ...battle, step: battle.step + 1 };
}

/** One step back; what was ticked in a turn that is over is not known any more. */
export function backward(battle: KeptBattle, turn: BookTurn): KeptBattle {
  if (battle.turn === 0) return battle;
  if (battle.step > 0) return { ...battle, step: battle.step - 1 };
  return battle.turn === 1 ? { ...battle, turn: 0, done: [] } : { ...battle, turn: battle.turn - 1, step: stepsOf(turn).length - 1, done: [] };
}

export function ticked(battle: KeptBattle, task: number): KeptBattle {
  const id = taskId(battle.step, task);
  return { ...battle, done: battle.done.includes(id) ? battle.done.filter((one) => one !== id) : [...battle.done, id] };
}

/** A unit is marked; the story says so, and what was changed and changed back in one phase it leaves out. */
export function marked(battle: KeptBattle, turn: BookTurn, key: string, mark: string, to: number): KeptBattle {
  const unit = battle.units.find((one) => one.key === key);
  const word = turn.marks.find((one) => one.key === mark);
  if (!unit || !word) return battle;
  const value = Math.max(0, Math.min(word.most, to));
  const phase = phaseName(battle, turn);
  const start = `${unit.name}: ${word.word} `;
  const earlier = battle.lines.find((line) => line.turn === battle.turn && line.phase === phase && line.text.startsWith(start));
  const from = earlier ? Number(/(\d+) →/.exec(earlier.text)?.[1] ?? unit.marks[mark] ?? 0) : (unit.marks[mark] ?? 0);
  const lines = battle.lines.filter((line) => line !== earlier);
  const units = battle.units.map((one) => (one.key === key ? { ...one, marks: { ...one.marks, [mark]: value } } : one));
  return { ...battle, units, lines: from === value ? lines : [...lines, { turn: battle.turn, phase, text: `${start}${from} → ${value}` }] };
}

/** A command has other orders; the story says so. */
export function ordered(battle: KeptBattle, turn: BookTurn, side: number, command: string, order: string): KeptBattle {
  const orders = { ...battle.orders, [orderKey(side, command)]: order };
  const line: KeptLine = { turn: battle.turn, phase: phaseName(battle, turn), text: `${command}: ${order || '–'}` };
  return { ...battle, orders, lines: [...battle.lines, line] };
}

/** What a test came to, told in the story. */
export function told(battle: KeptBattle, turn: BookTurn, text: string, chance?: number): KeptBattle {
  const line: KeptLine = { turn: battle.turn, phase: phaseName(battle, turn), text };
  return { ...battle, lines: [...battle.lines, chance === undefined ? line : { ...line, chance }] };
}

const KEY = 'sabretache.kept';

export function keptBattle(ruleset: string, storage: Storage = localStorage): KeptBattle | null {
  try {
    const all: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return (all as Record<string, KeptBattle>)[ruleset] ?? null;
  } catch {
    return null;
  }
}

export function keepBattle(ruleset: string, battle: KeptBattle | null, storage: Storage = localStorage) {
  let all: Record<string, KeptBattle> = {};
  try {
    all = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, KeptBattle>;
  } catch {
    // What cannot be read is begun anew.
  }
  const { [ruleset]: _old, ...others } = all;
  storage.setItem(KEY, JSON.stringify(battle ? { ...others, [ruleset]: battle } : others));
}
