/** What this browser keeps for its owner: his name, and the invitations he has written. */

const NAME = 'sabretache.name';
const INVITATIONS = 'sabretache.invitations';

export const ownName = (storage: Storage = localStorage): string => storage.getItem(NAME) ?? '';

export function keepName(name: string, storage: Storage = localStorage) {
  storage.setItem(NAME, name.trim());
}

function invitations(storage: Storage): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(INVITATIONS) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** The invitation to a battle of one's own, as long as nobody has come by it. */
export const invitationTo = (id: string, storage: Storage = localStorage): string | null => invitations(storage)[id] ?? null;

export function keepInvitation(id: string, token: string | null, storage: Storage = localStorage) {
  const kept = invitations(storage);
  if (token === null) delete kept[id];
  else kept[id] = token;
  storage.setItem(INVITATIONS, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-100))));
}

/** The link that goes to a friend. What stands behind `#` is never sent to a server. */
export const inviteLink = (id: string, token: string) => `${location.origin}/join/${id}#${token}`;
