/** The server's HTTP side. */

import type { Advice } from '../protocol/Advice';
import type { AidesNow } from '../protocol/AidesNow';
import type { AidesWish } from '../protocol/AidesWish';
import type { AskAdvice } from '../protocol/AskAdvice';
import type { ArmyFile } from '../protocol/ArmyFile';
import type { ArmyLooked } from '../protocol/ArmyLooked';
import type { ArmyPiece } from '../protocol/ArmyPiece';
import type { BookTurn } from '../protocol/BookTurn';
import type { BookTools } from '../protocol/BookTools';
import type { BookTest } from '../protocol/BookTest';
import type { BattleInfo } from '../protocol/BattleInfo';
import type { BattleMade } from '../protocol/BattleMade';
import type { Changes } from '../protocol/Changes';
import type { ClauseReply } from '../protocol/ClauseReply';
import type { Course } from '../protocol/Course';
import type { ExampleEntry } from '../protocol/ExampleEntry';
import type { ExampleMade } from '../protocol/ExampleMade';
import type { ExerciseEntry } from '../protocol/ExerciseEntry';
import type { ExerciseMade } from '../protocol/ExerciseMade';
import type { Judged } from '../protocol/Judged';
import type { Happened } from '../protocol/Happened';
import type { Link } from '../protocol/Link';
import type { Looked } from '../protocol/Looked';
import type { NewBattle } from '../protocol/NewBattle';
import type { NewBranch } from '../protocol/NewBranch';
import type { NewErrand } from '../protocol/NewErrand';
import type { NewExample } from '../protocol/NewExample';
import type { NewRun } from '../protocol/NewRun';
import type { NewTable } from '../protocol/NewTable';
import type { NewUpload } from '../protocol/NewUpload';
import type { ParleyNow } from '../protocol/ParleyNow';
import type { PlayerEntry } from '../protocol/PlayerEntry';
import type { Players } from '../protocol/Players';
import type { Playsheet } from '../protocol/Playsheet';
import type { Presses } from '../protocol/Presses';
import type { Problem } from '../protocol/Problem';
import type { RulesetEntry } from '../protocol/RulesetEntry';
import type { RunNow } from '../protocol/RunNow';
import type { ScenarioEntry } from '../protocol/ScenarioEntry';
import type { ScenarioSheet } from '../protocol/ScenarioSheet';
import type { Stakes } from '../protocol/Stakes';
import type { TasksOpen } from '../protocol/TasksOpen';
import type { TableNow } from '../protocol/TableNow';
import type { TestOdds } from '../protocol/TestOdds';
import type { TestTaken } from '../protocol/TestTaken';
import type { Tried } from '../protocol/Tried';
import type { Thrown } from '../protocol/Thrown';
import type { ToPrint } from '../protocol/ToPrint';
import type { WorkFile } from '../protocol/WorkFile';
import type { Workpiece } from '../protocol/Workpiece';
import { t } from '../strings';
import { asked } from './pocket';

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

function post(path: string, body: unknown, secrets: string[] = []): Promise<Response> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (secrets.length > 0) headers.Authorization = `Seat ${secrets.join(', ')}`;
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function send<T>(path: string, body: unknown, secrets: string[] = []): Promise<T> {
  return (await post(path, body, secrets)).json() as Promise<T>;
}

/** From the server; where there is no net, from the books that the page carries with it. */
async function orPocket<T>(online: () => Promise<T>, question: unknown): Promise<T> {
  // A server on the same machine answers without a net, so that the browser's own opinion of the net is not asked.
  try {
    return await online();
  } catch (error) {
    if (error instanceof NotDone) throw error;
  }
  const said = await asked<T>(question).catch(() => null);
  if (!said) throw new NotDone(0, { why: t.noNet, diagnostics: [] });
  if ('problem' in said) throw new NotDone(422, { diagnostics: [], ...said.problem });
  return said.answer;
}

export const api = {
  rulesets: () => read<RulesetEntry[]>('/rulesets'),
  clauses: (ruleset: string) => read<ClauseReply[]>(`/rulesets/${encodeURIComponent(ruleset)}/clauses`),
  turn: (ruleset: string) => read<BookTurn>(`/rulesets/${encodeURIComponent(ruleset)}/turn`),
  tests: (ruleset: string) => read<BookTest[]>(`/rulesets/${encodeURIComponent(ruleset)}/tests`),
  testOdds: (ruleset: string, test: string, situation: unknown) =>
    orPocket<TestOdds>(() => send(`/rulesets/${encodeURIComponent(ruleset)}/tests/${encodeURIComponent(test)}/odds`, { situation }), { ruleset, test, situation }),
  takeTest: (ruleset: string, test: string, situation: unknown, dice: number[]) =>
    orPocket<TestTaken>(() => send(`/rulesets/${encodeURIComponent(ruleset)}/tests/${encodeURIComponent(test)}/take`, { situation, dice }), { ruleset, test, situation, dice }),
  newTable: (body: NewTable) => send<BattleMade>('/tables', body),
  table: (id: string, secret: string, length: number) => read<TableNow>(`/tables/${id}?length=${length}`, seated([secret])),
  atTable: (id: string, secret: string, happened: Happened) => send<TableNow>(`/tables/${id}`, happened, [secret]),
  presses: () => read<Presses>('/paper'),
  playsheet: (ruleset: string) => read<Playsheet>(`/rulesets/${encodeURIComponent(ruleset)}/playsheet`),
  storyPaper: async (id: string, ending: string, secrets: string[]) => (await ask(`/battles/${id}/story.${ending}`, seated(secrets))).blob(),
  bookletPaper: async (text: string, pdf: boolean) => (await post('/paper/booklet', { text, pdf } satisfies ToPrint)).blob(),
  workFiles: () => read<WorkFile[]>('/workshop/files'),
  workText: async (name: string) => (await ask(`/workshop/files/${encodeURIComponent(name)}`)).text(),
  armies: () => read<ArmyFile[]>('/workshop/armies'),
  armyText: async (name: string) => (await ask(`/workshop/armies/${encodeURIComponent(name)}`)).text(),
  armyOf: async (text: string) => (await post('/workshop/army-of', { text } satisfies Looked)).text(),
  armySchema: () => read<unknown>('/workshop/army-schema'),
  lookAtArmy: (body: ArmyLooked) => send<ArmyPiece>('/workshop/armies', body),
  tools: (ruleset: string) => read<BookTools>(`/workshop/books/${encodeURIComponent(ruleset)}`),
  work: (body: Looked) => send<Workpiece>('/workshop/look', body),
  examples: (ruleset: string, clause: string) => read<ExampleEntry[]>(`/rulesets/${encodeURIComponent(ruleset)}/clauses/${encodeURIComponent(clause)}/examples`),
  example: (ruleset: string, name: string) => send<ExampleMade>('/examples', { ruleset, name } satisfies NewExample),
  exercises: () => read<ExerciseEntry[]>('/exercises'),
  exercise: (name: string) => send<ExerciseMade>('/exercises', { name }),
  judge: (tried: Tried) => send<Judged>('/exercises/judge', tried),
  handOver: (id: string, arrow: NewErrand, secrets: string[]) => send<AidesNow>(`/battles/${id}/aides`, arrow, secrets),
  tasksOpen: (id: string, arrow: NewErrand, secrets: string[]) => send<TasksOpen>(`/battles/${id}/aides/open`, arrow, secrets),
  wishOfAides: (id: string, wish: AidesWish, secrets: string[]) => send<AidesNow>(`/battles/${id}/aides/wish`, wish, secrets),
  players: () => read<PlayerEntry[]>('/players'),
  scenarios: () => read<ScenarioEntry[]>('/scenarios'),
  scenario: (name: string) => read<ScenarioSheet>(`/scenarios/${encodeURIComponent(name)}`),
  battle: (id: string, secrets: string[]) => read<BattleInfo>(`/battles/${id}`, seated(secrets)),
  stakes: (id: string, secrets: string[]) => read<Stakes>(`/battles/${id}/stakes`, seated(secrets)),
  log: async (id: string, secrets: string[]) => (await ask(`/battles/${id}/log`, seated(secrets))).text(),
  begin: (body: NewBattle) => send<BattleMade>('/battles', body),
  upload: (body: NewUpload) => send<BattleMade>('/battles/upload', body),
  changes: (name: string) => read<Changes>(`/scenarios/${encodeURIComponent(name)}/changes`),
  course: (id: string, secrets: string[]) => read<Course>(`/battles/${id}/course`, seated(secrets)),
  advice: (id: string, player: string, secrets: string[]) => send<Advice>(`/battles/${id}/advice`, { player } satisfies AskAdvice, secrets),
  play: async (id: string, players: Players, secrets: string[]) => void (await post(`/battles/${id}/players`, players, secrets)),
  run: async (id: string, asked: NewRun, secrets: string[]) => void (await post(`/battles/${id}/run`, asked, secrets)),
  runNow: (id: string, secrets: string[]) => read<RunNow | null>(`/battles/${id}/run`, seated(secrets)),
  runStop: async (id: string, secrets: string[]) => void (await ask(`/battles/${id}/run`, { ...seated(secrets), method: 'DELETE' })),
  runReport: async (id: string, secrets: string[]) => (await ask(`/battles/${id}/run/report`, seated(secrets))).text(),
  parley: (id: string, secrets: string[]) => read<ParleyNow>(`/battles/${id}/parley`, seated(secrets)),
  commit: async (id: string, link: Link, secrets: string[]) => void (await post(`/battles/${id}/commit`, link, secrets)),
  reveal: async (id: string, link: Link, secrets: string[]) => void (await post(`/battles/${id}/reveal`, link, secrets)),
  throw: async (id: string, faces: number[], secrets: string[]) => void (await post(`/battles/${id}/throw`, { faces } satisfies Thrown, secrets)),
  branch: (id: string, body: NewBranch, secrets: string[]) => send<BattleMade>(`/battles/${id}/branch`, body, secrets),
};
