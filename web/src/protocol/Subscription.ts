import type { SubscriptionKeys } from "./SubscriptionKeys";

export type Subscription = { endpoint: string, keys: SubscriptionKeys };
