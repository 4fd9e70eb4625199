/** The server's HTTP side. */

import type { BattleInfo } from '../protocol/BattleInfo';
import type { BattleMade } from '../protocol/BattleMade';
import type { ClauseReply } from '../protocol/ClauseReply';
import type { NewBattle } from '../protocol/NewBattle';
import type { NewBranch } from '../protocol/NewBranch';
import type { NewUpload } from '../protocol/NewUpload';
import type { PlayerEntry } from '../protocol/PlayerEntry';
import type { Problem } from '../protocol/Problem';
import type { RulesetEntry } from '../protocol/RulesetEntry';
import type { ScenarioEntry } from '../protocol/ScenarioEntry';
import type { ScenarioSheet } from '../protocol/ScenarioSheet';

/** What the server would not do, in its own words. */
export class NotDone extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.why);
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`/api${path}`, init);
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const known = typeof body === 'object' && body !== null && 'why' in body;
  throw new NotDone(response.status, known ? (body as Problem) : { why: response.statusText, diagnostics: [] });
}

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  return (await ask(path, init)).json() as Promise<T>;
}

const seated = (secrets: string[]): RequestInit => ({ headers: { Authorization: `Seat ${secrets.join(', ')}` } });

function send<T>(path: string, body: unknown, secrets: string[] = []): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (secrets.length > 0) headers.Authorization = `Seat ${secrets.join(', ')}`;
  return read<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export const api = {
  rulesets: () => read<RulesetEntry[]>('/rulesets'),
  clauses: (ruleset: string) => read<ClauseReply[]>(`/rulesets/${encodeURIComponent(ruleset)}/clauses`),
  players: () => read<PlayerEntry[]>('/players'),
  scenarios: () => read<ScenarioEntry[]>('/scenarios'),
  scenario: (name: string) => read<ScenarioSheet>(`/scenarios/${encodeURIComponent(name)}`),
  battle: (id: string, secrets: string[]) => read<BattleInfo>(`/battles/${id}`, seated(secrets)),
  log: async (id: string, secrets: string[]) => (await ask(`/battles/${id}/log`, seated(secrets))).text(),
  begin: (body: NewBattle) => send<BattleMade>('/battles', body),
  upload: (body: NewUpload) => send<BattleMade>('/battles/upload', body),
  branch: (id: string, body: NewBranch, secrets: string[]) => send<BattleMade>(`/battles/${id}/branch`, body, secrets),
};
