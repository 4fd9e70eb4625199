
export type MineAsked = { id: string, secrets: Array<string> };
