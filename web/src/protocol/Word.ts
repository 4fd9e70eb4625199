import type { SeatName } from "./SeatName";

export type Word = { n: number, at: number, seat: SeatName, name: string, text: string };
