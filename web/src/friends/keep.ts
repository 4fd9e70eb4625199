/** What this browser keeps for its owner: his name, and the invitations he has written. */

const NAME = 'sabretache.name';
const INVITATIONS = 'sabretache.invitations';

export const ownName = (storage: Storage = localStorage): string => storage.getItem(NAME) ?? '';

export function keepName(name: string, storage: Storage = localStorage) {
  storage.setItem(NAME, name.trim());
}

function read(shelf: string, storage: Storage): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(shelf) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {};
  } catch {
    return {};
  }
}

const invitations = (storage: Storage) => read(INVITATIONS, storage);

/** The invitation to a battle of one's own, as long as nobody has come by it. */
export const invitationTo = (id: string, storage: Storage = localStorage): string | null => invitations(storage)[id] ?? null;

export function keepInvitation(id: string, token: string | null, storage: Storage = localStorage) {
  const kept = invitations(storage);
  if (token === null) delete kept[id];
  else kept[id] = token;
  storage.setItem(INVITATIONS, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-100))));
}

const CLAIMS = 'sabretache.claims';

/** A random word of one's own for an invitation: should the server's answer be lost, the seat is asked for again with it. */
export function claimFor(id: string, storage: Storage = localStorage): string {
  const kept = read(CLAIMS, storage);
  if (kept[id]) return kept[id];
  const word = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  storage.setItem(CLAIMS, JSON.stringify(Object.fromEntries([...Object.entries(kept).slice(-99), [id, word]])));
  return word;
}

/** Whether this browser has asked for that seat before. */
export const hasClaimed = (id: string, storage: Storage = localStorage): boolean => id in read(CLAIMS, storage);

/** The link that goes to a friend. What stands behind `#` is never sent to a server. */
export const inviteLink = (id: string, token: string) => `${location.origin}/join/${id}#${token}`;
