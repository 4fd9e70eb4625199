/** The paper, as long as the browser prints. */

import { flushSync, mount, unmount } from 'svelte';
import type { View } from '../protocol/View';
import Paper from './Paper.svelte';

/**
 * Lays the paper out while the browser prints, by daylight, and takes it away again. On the screen there is no trace of it: the table
 * as it is looked at has one corner on the page, or nothing.
 */
export function printing(view: () => View): () => void {
  let laid: ReturnType<typeof mount> | null = null;
  let light: string | undefined;
  const lay = () => {
    if (laid) return;
    laid = mount(Paper, { target: document.body, props: { view: view() } });
    flushSync();
    light = document.documentElement.dataset.light;
    document.documentElement.dataset.light = 'light';
  };
  const clear = () => {
    if (!laid) return;
    void unmount(laid);
    laid = null;
    if (light !== undefined) document.documentElement.dataset.light = light;
  };
  window.addEventListener('beforeprint', lay);
  window.addEventListener('afterprint', clear);
  return () => {
    window.removeEventListener('beforeprint', lay);
    window.removeEventListener('afterprint', clear);
    clear();
  };
}
