import type { ClockSetting } from "./ClockSetting";
import type { Side } from "./Side";

export type Invited = { title: string, ruleset: string, side: Side, by: string, clock: ClockSetting | null };
