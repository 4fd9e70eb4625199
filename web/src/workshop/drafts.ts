/** Drafts kept in this browser. */

export interface Draft {
  id: string;
  title: string;
  ruleset: string;
  text: string;
  /** When it was changed last. */
  changed: number;
}

const KEY = 'sabretache.workshop.drafts';
/** So many are kept; the oldest goes. */
const MOST = 40;

export function drafts(storage: Storage = localStorage): Draft[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as Draft[]) : [];
  } catch {
    return [];
  }
}

/** Keeps a draft, first of all; false where the browser has no room for it. */
export function keep(draft: Draft, storage: Storage = localStorage): boolean {
  try {
    const others = drafts(storage).filter(({ id }) => id !== draft.id);
    storage.setItem(KEY, JSON.stringify([draft, ...others].slice(0, MOST)));
    return true;
  } catch {
    return false;
  }
}

export function discard(id: string, storage: Storage = localStorage) {
  storage.setItem(KEY, JSON.stringify(drafts(storage).filter((draft) => draft.id !== id)));
}
