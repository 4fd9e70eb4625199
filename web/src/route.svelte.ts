/** Where the reader is: the address of the page and nothing else. */

import { pageOf } from './address';

class Route {
  path = $state(location.pathname);
  hash = $state(location.hash);
  page = $derived(pageOf(this.path, this.hash));

  constructor() {
    addEventListener('popstate', () => this.look());
    addEventListener('hashchange', () => this.look());
  }

  private look() {
    this.path = location.pathname;
    this.hash = location.hash;
  }

  /** Goes to a page of the client without loading anything anew. */
  go(address: string) {
    history.pushState(null, '', address);
    this.look();
    scrollTo(0, 0);
  }

  /** Takes the place of the address shown, without a step back to it. */
  replace(address: string) {
    history.replaceState(null, '', address);
    this.look();
  }
}

export const route = new Route();

/** For links within the client: a plain click goes without a load, any other click does as the browser does. */
export function within(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget;
  if (!(link instanceof HTMLAnchorElement) || link.target) return;
  event.preventDefault();
  route.go(link.pathname + link.hash);
}
