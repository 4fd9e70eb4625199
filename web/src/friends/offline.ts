/** What works without the network: the pages themselves, the rulebook, and battles that are over. */

import type { Battle } from '../battle/battle.svelte';
import type { Side } from '../protocol/Side';
import type { StoryLine } from '../protocol/StoryLine';
import type { Subscription } from '../protocol/Subscription';
import type { Verdict } from '../protocol/Verdict';
import type { View } from '../protocol/View';

const SHELF = 'sabretache-battles';

/** A battle that is over, as it can be read again without the network. */
export interface Finished {
  id: string;
  title: string;
  view: View;
  story: StoryLine[];
  verdict: Verdict | null;
}

/** What a side is called on the table. */
export const sideOf = (view: View, side: Side) => view.setting.sides.find((one) => one.side === side)?.name ?? side;

const shelf = () => (typeof caches === 'undefined' ? null : caches.open(SHELF));
const place = (id: string) => `/finished/${id}`;

export async function keepFinished(battle: Battle) {
  if (!battle.now || !battle.info) return;
  const kept: Finished = { id: battle.id, title: battle.info.title, view: battle.now, story: battle.story, verdict: battle.verdict };
  // Without room there is simply nothing to read later.
  await (await shelf())?.put(place(battle.id), new Response(JSON.stringify(kept), { headers: { 'Content-Type': 'application/json' } })).catch(() => undefined);
}

export async function finished(id: string): Promise<Finished | null> {
  const found = await (await shelf())?.match(place(id));
  return found ? ((await found.json()) as Finished) : null;
}

/** Every battle that this browser kept. */
export async function allFinished(): Promise<Finished[]> {
  const own = await shelf();
  const found = (await own?.keys())?.map((place) => own?.match(place)) ?? [];
  const all = (await Promise.all(found)).flatMap((one) => (one ? [one.json() as Promise<Finished>] : []));
  return Promise.all(all);
}

/** The worker that answers where the network does not. It needs a secure page, and is left out while the client is being written. */
export function install() {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  addEventListener('load', () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined));
}

const bytes = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** What this browser's push service was asked for before. */
export async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker?.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? null;
}

/** Asks the browser for notices by its push service; nothing where it or its owner will not. */
export async function subscribe(key: string): Promise<Subscription | null> {
  try {
    if ((await Notification.requestPermission()) !== 'granted') return null;
    const worker = await navigator.serviceWorker.ready;
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    const { endpoint, keys } = made.toJSON();
    return endpoint && keys?.p256dh && keys.auth ? { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } : null;
  } catch {
    return null;
  }
}

/** Ends it; the address that was told. */
export async function unsubscribe(): Promise<string | null> {
  const made = await subscription();
  await made?.unsubscribe();
  return made?.endpoint ?? null;
}
