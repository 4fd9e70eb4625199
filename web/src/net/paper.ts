/** Paper that the server makes: as PDF where it has a press, otherwise as a page that the browser prints. */
import { api } from './api';

let known: Promise<boolean> | null = null;

/** Whether the server makes PDF; asked once. */
export function hasPress(): Promise<boolean> {
  known ??= api.presses().then(
    ({ pdf }) => pdf,
    () => false,
  );
  return known;
}

/** The ending of what the server makes. */
export const ending = (pdf: boolean) => (pdf ? 'pdf' : 'html');

/** Opens what was fetched in a window of its own. */
export function open(paper: Blob) {
  const address = URL.createObjectURL(paper);
  window.open(address, '_blank');
  // The window has read it long before that.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
