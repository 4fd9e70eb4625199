import type { CompanyNow } from "./CompanyNow";
import type { Players } from "./Players";
import type { SeatName } from "./SeatName";
import type { Side } from "./Side";
import type { Verdict } from "./Verdict";

export type Mine = { id: string, title: string, ruleset: string, seats: Array<SeatName>, players: Players, lines: number, deciding: Side | null, verdict: Verdict | null, company: CompanyNow | null, created: number };
