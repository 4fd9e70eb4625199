
export type Guest = { invitation: string, name: string };
