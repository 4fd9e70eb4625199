import type { Hand } from "./Hand";
import type { Say } from "./Say";

export type SaidView = { line: number, moment: number, by: Hand, say: Say };
