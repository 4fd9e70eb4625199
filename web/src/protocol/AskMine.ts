import type { MineAsked } from "./MineAsked";

export type AskMine = { battles: Array<MineAsked> };
