export type CoachEntry = { turn?: number, when?: string, says: string, points?: Array<string>, };
