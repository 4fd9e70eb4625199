/** The secrets this browser holds: they are what "my battles" means, since the server keeps only their hashes. */

import type { BattleMade } from '../protocol/BattleMade';
import type { Players } from '../protocol/Players';
import type { Refusal } from '../protocol/Refusal';
import type { Side } from '../protocol/Side';
import type { Secrets } from '../protocol/Secrets';

export interface Held {
  id: string;
  /** Those spoken with. */
  using: string[];
  /** All of them, where the battle was made here. */
  all: Secrets | null;
  /** The scenario whose coach speaks, where it is a lesson. */
  coach?: string | null;
  /** What a worked example shows, where it is one. */
  example?: Example | null;
  /** The exercise that it is, where it is one. */
  exercise?: Trying | null;
}

/** An exercise on the table. */
export interface Trying {
  name: string;
  title: string;
  ruleset: string;
  theme: string;
  /** Who has to choose. */
  side: Side;
}

/** A worked example of the rulebook, on the table. */
export interface Example {
  title: string;
  ruleset: string;
  clause: string;
  /** Why its last choice may not be made, where that is what it shows. */
  refused: Refusal | null;
}

const KEY = 'sabretache.seats';

export function heldBattles(storage: Storage = localStorage): Held[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as Held[]) : [];
  } catch {
    return [];
  }
}

export function heldBattle(id: string, storage: Storage = localStorage): Held | null {
  return heldBattles(storage).find((held) => held.id === id) ?? null;
}

export function hold(held: Held, storage: Storage = localStorage) {
  const others = heldBattles(storage).filter((other) => other.id !== held.id);
  storage.setItem(KEY, JSON.stringify([held, ...others].slice(0, 200)));
}

export function letGo(id: string, storage: Storage = localStorage) {
  storage.setItem(KEY, JSON.stringify(heldBattles(storage).filter((held) => held.id !== id)));
}

/** Whoever makes a battle sits at every side that a person plays; with computers alone, among the spectators. */
export function holdMade(made: BattleMade, players: Players, coach: string | null = null, storage: Storage = localStorage): Held {
  const persons = [players.a === 'person' ? made.secrets.a : null, players.b === 'person' ? made.secrets.b : null];
  const using = persons.filter((secret) => secret !== null);
  const held = { id: made.id, using: using.length > 0 ? using : [made.secrets.spectator], all: made.secrets, coach };
  hold(held, storage);
  return held;
}

/** The secret that came with a link, kept for the next time. */
export function holdLink(id: string, hash: string, storage: Storage = localStorage): Held | null {
  const secret = /^#seat=([0-9a-f]+)$/.exec(hash)?.[1];
  const before = heldBattle(id, storage);
  if (!secret) return before;
  const held = before ?? { id, using: [], all: null };
  if (!held.using.includes(secret)) held.using = [...held.using, secret].slice(-12);
  hold(held, storage);
  return held;
}

/** A link to a seat. The secret stands behind the `#`, which browsers never send anywhere. */
export const linkOf = (id: string, secret: string) => `${location.origin}/battle/${id}#seat=${secret}`;
