import type { Side } from "./Side";

export type Pause = { side: Side, pause: boolean };
