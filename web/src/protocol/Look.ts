
export type Look = { name: string | null, away: boolean };
