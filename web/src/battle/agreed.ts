/**
 * Dice that nobody could have chosen: each side makes a chain of secrets, each the hash of the next, and commits to it before the
 * battle. For every choice with dice each side reveals one link more; the dice come from all of them together.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import type { Side } from '../protocol/Side';

/** So many choices with dice a chain lasts for. */
export const CHOICES = 4_096;

const KEY = 'sabretache.dice';

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** The links of a chain: the first is the commitment, the nth is revealed for the nth choice with dice. */
export function chain(secret: string, choices = CHOICES): string[] {
  // Not the browser's own: it has none where the page comes over plain HTTP from another machine of the house.
  const links: string[] = [];
  let link = fromHex(secret);
  for (let n = 0; n <= choices; n++) {
    link = sha256(link);
    links.push(hex(link));
  }
  return links.reverse();
}

type Kept = Record<string, string>;

function kept(storage: Storage): Kept {
  try {
    const all: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof all === 'object' && all !== null ? (all as Kept) : {};
  } catch {
    return {};
  }
}

/** The secret that this browser keeps for a side of a battle; a fresh one if it is to. */
export function secretOf(id: string, side: Side, make: boolean, storage: Storage = localStorage): string | null {
  const all = kept(storage);
  const name = `${id}/${side}`;
  const found = all[name];
  if (found !== undefined || !make) return found ?? null;
  const fresh = hex(crypto.getRandomValues(new Uint8Array(32)));
  storage.setItem(KEY, JSON.stringify({ ...all, [name]: fresh }));
  return fresh;
}

const made = new Map<string, string[]>();

/** The link of a side for the nth choice with dice (0 for the commitment); nothing where this browser has not committed. */
export function linkOf(id: string, side: Side, n: number): string | null {
  const secret = secretOf(id, side, false);
  if (secret === null) return null;
  const links = made.get(secret) ?? chain(secret);
  made.set(secret, links);
  return links[n] ?? null;
}

/**
 * Whether a log says that secrets were revealed for another choice than the one this browser revealed its own for: then somebody
 * has tried choices after he had seen them.
 */
export function deceived(log: string[], revealedFor: string): boolean {
  return log.some((line) => {
    if (!line.includes('"reveals"')) return false;
    const entry = JSON.parse(line) as { entry?: { chosen?: { reveals?: unknown; bound?: string } } };
    const chosen = entry.entry?.chosen;
    return chosen?.reveals !== undefined && chosen.bound !== revealedFor;
  });
}
