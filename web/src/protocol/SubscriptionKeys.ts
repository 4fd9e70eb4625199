
export type SubscriptionKeys = { p256dh: string, auth: string };
