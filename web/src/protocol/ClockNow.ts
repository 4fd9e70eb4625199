import type { ClockSetting } from "./ClockSetting";
import type { Side } from "./Side";

export type ClockNow = { setting: ClockSetting, left: [number, number], running: Side | null, paused: boolean, pause_asked: Side | null };
