import type { ClockSetting } from "./ClockSetting";
import type { NewBattle } from "./NewBattle";
import type { Side } from "./Side";

export type NewFriendly = { battle: NewBattle, side: Side, name: string, clock: ClockSetting | null };
