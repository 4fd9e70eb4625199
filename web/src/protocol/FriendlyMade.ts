import type { Side } from "./Side";

export type FriendlyMade = { id: string, side: Side, secret: string, spectator: string, invitation: string };
