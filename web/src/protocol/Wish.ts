import type { Subscription } from "./Subscription";

export type Wish = { "type": "push", subscription: Subscription } | { "type": "no_push", endpoint: string } | { "type": "mail", address: string, digest: boolean } | { "type": "no_mail" };
