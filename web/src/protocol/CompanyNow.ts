import type { ClockNow } from "./ClockNow";
import type { Side } from "./Side";
import type { SitterNow } from "./SitterNow";

export type CompanyNow = { sitters: [SitterNow, SitterNow], waiting: boolean, deciding: Side | null, since: number, clock: ClockNow | null, now: number };
