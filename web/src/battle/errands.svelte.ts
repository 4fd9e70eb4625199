/** Arrows that hand commands to aides: one is drawn from a unit of the command, and what it is to do is chosen where it ends. */

import type { Grip, Hold } from '../map/grip';
import { distance, type Pt } from '../map/geometry';
import type { Arrow } from '../protocol/Arrow';
import type { CommandView } from '../protocol/CommandView';
import type { Side } from '../protocol/Side';
import type { View } from '../protocol/View';
import type { Battle } from './battle.svelte';

/** An arrow in the hand, or one that has been drawn and waits to be told what it means. */
export interface Sketch {
  commands: string[];
  from: Pt;
  by: Pt | null;
  to: Pt;
  /** What the command could do there; nothing while it is drawn or asked. */
  tasks: string[] | null;
}

/** A command and all that are under it. */
function allBelow(view: View, command: string): Set<string> {
  const below = new Set([command]);
  for (let grew = true; grew; ) {
    const more = view.commands.filter(({ id, above }) => above !== null && below.has(above) && !below.has(id));
    for (const one of more) below.add(one.id);
    grew = more.length > 0;
  }
  return below;
}

/** The units of a command that stand on the table. */
export function unitsOf(view: View, command: string): { id: string; at: Pt }[] {
  return view.units.flatMap(({ id, command: of, pose, absent }) => (of === command && pose && !absent ? [{ id, at: pose.at }] : []));
}

/** The middle of some places; nothing where there are none. */
export function middleOf(places: Pt[]): Pt | null {
  if (places.length === 0) return null;
  const sum = places.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: Math.round(sum.x / places.length), y: Math.round(sum.y / places.length) };
}

/** Where a way that was drawn goes by: its place furthest from the straight line, where it is far from it. */
export function bendOf(way: Pt[]): Pt | null {
  const [from, to] = [way[0], way.at(-1)];
  if (!from || !to) return null;
  const long = distance(from, to);
  if (long === 0) return null;
  const aside = (p: Pt) => Math.abs((to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)) / long;
  const far = way.reduce((a, b) => (aside(b) > aside(a) ? b : a));
  return aside(far) > 0.18 * long ? { x: Math.round(far.x), y: Math.round(far.y) } : null;
}

/** The commands of a side that have somebody on the table themselves. */
export function commandsOf(view: View, side: Side): CommandView[] {
  const own = new Set(view.units.filter(({ pose, absent }) => pose && !absent).map(({ command }) => command));
  return view.commands.filter((command) => command.side === side && own.has(command.id));
}

export class Errands implements Grip {
  sketch = $state.raw<Sketch | null>(null);
  why = $state('');
  /** The commands that a loop was drawn round. */
  group = $state.raw<string[]>([]);
  private way: Pt[] = [];
  private holding = false;

  constructor(
    private readonly battle: Battle,
    private readonly side: () => Side | null,
  ) {}

  /** What was handed over, as arrows. */
  readonly arrows = $derived.by<Arrow[]>(() => {
    const [view, side] = [this.battle.now, this.side()];
    if (!view || !side) return [];
    return (this.battle.aidesOf(side)?.errands ?? []).flatMap((errand) => {
      const from = middleOf(unitsOf(view, errand.command).map(({ at }) => at));
      const name = view.commands.find(({ id }) => id === errand.command)?.name ?? '';
      return from ? [{ command: errand.command, who: name, task: errand.task, from, by: errand.by, to: errand.to }] : [];
    });
  });

  /** The command of a unit of ours (with those that a loop was drawn round), or all those under an officer. */
  private commandsFor(token: string): string[] {
    const [view, side] = [this.battle.now, this.side()];
    if (!view || !side) return [];
    const unit = view.units.find((one) => one.id === token && one.side === side);
    if (unit?.command) return this.group.includes(unit.command) ? this.group : [unit.command];
    const led = view.commands.filter((command) => command.side === side && command.officer === token);
    const below = new Set(led.flatMap(({ id }) => [...allBelow(view, id)]));
    return commandsOf(view, side).flatMap(({ id }) => (below.has(id) ? [id] : []));
  }

  grab({ place, token }: Hold): boolean {
    this.why = '';
    this.sketch = null;
    const commands = token ? this.commandsFor(token) : [];
    if (commands.length === 0) return false;
    this.way = [place];
    this.sketch = { commands, from: place, by: null, to: place, tasks: null };
    this.holding = true;
    return true;
  }

  drag(place: Pt) {
    if (!this.holding || !this.sketch) return;
    this.way.push(place);
    this.sketch = { ...this.sketch, by: bendOf(this.way), to: { x: Math.round(place.x), y: Math.round(place.y) } };
  }

  drop(done: boolean) {
    if (!this.holding) return;
    this.holding = false;
    if (done) void this.ask();
    else this.sketch = null;
  }

  /** A loop was drawn: an arrow from any of those in it is for the commands of all. */
  gather(tokens: string[]) {
    this.sketch = null;
    const ours = this.battle.now?.units.filter(({ id, side, command }) => tokens.includes(id) && side === this.side() && command) ?? [];
    this.group = [...new Set(ours.flatMap(({ command }) => command ?? []))];
  }

  leave() {
    this.sketch = null;
    this.why = '';
  }

  /** What the command could do where the arrow ends. */
  private async ask() {
    const { sketch } = this;
    const side = this.side();
    if (!sketch || !side) return;
    let open: string[] | string = [];
    for (const command of sketch.commands) {
      open = await this.battle.tasksOpen({ side, command, task: null, to: sketch.to, by: sketch.by });
      if (typeof open !== 'string' && open.length > 0) break;
    }
    if (this.sketch !== sketch) return;
    if (typeof open === 'string') {
      this.sketch = null;
      this.why = open;
    } else this.sketch = { ...sketch, tasks: open };
  }

  /** Hands the command over that an arrow was drawn for. */
  async give(task: string) {
    const { sketch } = this;
    if (!sketch) return;
    this.sketch = null;
    const view = this.battle.now;
    const at = (command: string) => (view ? middleOf(unitsOf(view, command).map((unit) => unit.at)) : null);
    const middle = middleOf(sketch.commands.flatMap((command) => at(command) ?? []));
    // Several keep their places beside each other; what they are to attack or to hold together is one and the same.
    const alike = task === 'hold' || task === 'reserve' || task === 'withdraw';
    for (const command of sketch.commands) {
      const own = at(command);
      const shift = alike && own && middle ? { x: own.x - middle.x, y: own.y - middle.y } : { x: 0, y: 0 };
      await this.tell(command, task, { x: sketch.to.x + shift.x, y: sketch.to.y + shift.y }, sketch.by);
    }
  }

  /** Hands a command over. */
  async tell(command: string, task: string, to: Pt, by: Pt | null = null) {
    const side = this.side();
    if (!side) return;
    this.why = (await this.battle.handOver({ side, command, task, to, by })) ?? '';
  }
}
