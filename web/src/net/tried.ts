/** Which exercises somebody has tried in this browser, and which he has done well. */

const KEY = 'sabretache.exercises';

export function tried(storage: Storage = localStorage): Record<string, boolean> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Record<string, boolean>) : {};
  } catch {
    return {};
  }
}

/** Once done well, it stays so. */
export function keepTried(name: string, well: boolean, storage: Storage = localStorage) {
  const before = tried(storage);
  storage.setItem(KEY, JSON.stringify({ ...before, [name]: well || before[name] === true }));
}
