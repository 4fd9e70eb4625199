/** What the addresses of the client mean. */

export type Page =
  | { page: 'home' }
  | { page: 'battle'; id: string }
  | { page: 'after'; id: string }
  | { page: 'rules'; ruleset: string | null; clause: string | null }
  | { page: 'quick'; ruleset: string }
  | { page: 'companion'; ruleset: string | null; test: string | null }
  | { page: 'exercises'; ruleset: string | null }
  | { page: 'workshop'; draft: string | null }
  | { page: 'sheet'; scenario: string }
  | { page: 'mine' }
  | { page: 'join'; id: string }
  | { page: 'notices'; id: string }
  | { page: 'nowhere' };

/** A part of an address as it is meant; as it stands, where it is garbled. */
function plainly(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function pageOf(path: string, hash: string): Page {
  const [first, second, third] = path.split('/').filter(Boolean).map(plainly);
  if (first === 'mine') return { page: 'mine' };
  if ((first === 'join' || first === 'notices') && second) return { page: first, id: second };
  if (first === 'battle' && second) return third === 'after' ? { page: 'after', id: second } : { page: 'battle', id: second };
  if (first === 'rules' && second && third === 'quick') return { page: 'quick', ruleset: second };
  if (first === 'rules') return { page: 'rules', ruleset: second ?? null, clause: hash.replace(/^#/, '') || null };
  if (first === 'companion') return { page: 'companion', ruleset: second ?? null, test: third ?? null };
  if (first === 'exercises') return { page: 'exercises', ruleset: second ?? null };
  if (first === 'workshop') return { page: 'workshop', draft: second ?? null };
  if (first === 'sheet' && second) return { page: 'sheet', scenario: second };
  return { page: first === undefined ? 'home' : 'nowhere' };
}
