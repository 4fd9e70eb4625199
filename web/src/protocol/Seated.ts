import type { Side } from "./Side";

export type Seated = { side: Side, secret: string };
