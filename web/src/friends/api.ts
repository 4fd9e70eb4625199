/** What friends ask of the server. */

import { NotDone } from '../net/api';
import type { AskMine } from '../protocol/AskMine';
import type { Beside } from '../protocol/Beside';
import type { Confirm } from '../protocol/Confirm';
import type { FriendlyMade } from '../protocol/FriendlyMade';
import type { Guest } from '../protocol/Guest';
import type { Invited } from '../protocol/Invited';
import type { Look } from '../protocol/Look';
import type { Mine } from '../protocol/Mine';
import type { NewFriendly } from '../protocol/NewFriendly';
import type { NewWord } from '../protocol/NewWord';
import type { NoticesNow } from '../protocol/NoticesNow';
import type { Pause } from '../protocol/Pause';
import type { Problem } from '../protocol/Problem';
import type { Seated } from '../protocol/Seated';
import type { Wish } from '../protocol/Wish';

async function send<T>(path: string, body: unknown, secrets: string[] = [], more: RequestInit = {}): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (secrets.length > 0) headers.Authorization = `Seat ${secrets.join(', ')}`;
  const response = await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...more });
  if (response.status === 204) return undefined as T;
  const said: unknown = await response.json().catch(() => null);
  if (response.ok) return said as T;
  const known = typeof said === 'object' && said !== null && 'why' in said;
  throw new NotDone(response.status, known ? (said as Problem) : { why: response.statusText, diagnostics: [] });
}

export const friendsApi = {
  make: (body: NewFriendly) => send<FriendlyMade>('/friends', body),
  invitation: (id: string, body: Guest) => send<Invited>(`/battles/${id}/invitation`, body),
  sit: (id: string, body: Guest) => send<Seated>(`/battles/${id}/sit`, body),
  here: (id: string, body: Look, secrets: string[], more: RequestInit = {}) => send<Beside>(`/battles/${id}/here`, body, secrets, more),
  say: (id: string, body: NewWord, secrets: string[]) => send<void>(`/battles/${id}/words`, body, secrets),
  pause: (id: string, body: Pause, secrets: string[]) => send<void>(`/battles/${id}/pause`, body, secrets),
  wish: (id: string, body: Wish, secrets: string[]) => send<NoticesNow>(`/battles/${id}/wishes`, body, secrets),
  confirm: (id: string, body: Confirm) => send<void>(`/battles/${id}/notices`, body),
  mine: (body: AskMine) => send<Mine[]>('/mine', body),
};

/** What went wrong, in the server's words. */
export const whyNot = (error: unknown, otherwise: string) => (error instanceof NotDone ? sentence(error.problem.why) : otherwise);

/** The server says why in half a sentence. */
const sentence = (why: string) => why.charAt(0).toUpperCase() + why.slice(1) + (/[.!?]$/.test(why) ? '' : '.');
