import type { SeatName } from "./SeatName";

export type NewWord = { seat: SeatName, text: string };
