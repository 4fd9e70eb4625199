
export type NoticesNow = { push_key: string | null, mails: boolean, browsers: number, mail: string | null, confirmed: boolean, digest: boolean };
