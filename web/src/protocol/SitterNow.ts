
export type SitterNow = { name: string, sat: boolean, here: boolean, seen: number };
