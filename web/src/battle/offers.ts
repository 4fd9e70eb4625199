/** The next or previous of those that may act, round and round. */
export function step(acting: { token: string }[], chosen: string | null, by: 1 | -1): string | null {
  if (acting.length === 0) return null;
  const here = acting.findIndex(({ token }) => token === chosen);
  const next = here < 0 ? (by === 1 ? 0 : acting.length - 1) : (here + by + acting.length) % acting.length;
  return acting[next]?.token ?? null;
}
