
export type ClockSetting = { bank: number, increment: number };
