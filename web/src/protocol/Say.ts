import type { Side } from "./Side";

export type Say = "resign" | "offer_draw" | "ask_back" | "agree" | "refuse" | "withdraw" | { "out_of_time": Side };
