
export type Confirm = { token: string, wanted: boolean };
