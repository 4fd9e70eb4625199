import type { Side } from "./Side";
export type Lesson = { side: Side, set: Array<string>, };
