/** Answers where the network does not: the pages, the rulebook, the scenarios. Battles that are over are kept by the page itself. */

const SHELL = 'sabretache-shell-3';
const KEPT = [SHELL, 'sabretache-battles'];
/** What is worth keeping of the server's answers: it is the same for everybody, and no secret goes with it. */
const READ = /^\/api\/(rulesets|scenarios|players|workshop\/files)(\/|$)/;

/** Pages of the client: everything that is not the server's own. */
const isPage = (path) => !/^\/(api|health|metrics)(\/|$)/.test(path);

const named = (text, what) => [...text.matchAll(what)].map(([name]) => name);

/** All that the pages are made of. What the first visit loaded came before this worker was there, so it is fetched again. */
async function keepShell(shelf) {
  await shelf.addAll(['/', '/icon.svg', '/icon-192.png', '/manifest.webmanifest']);
  const page = await (await shelf.match('/')).text();
  const parts = named(page, /\/assets\/[\w.-]+/g);
  await shelf.addAll(parts);
  const styles = await Promise.all(parts.filter((part) => part.endsWith('.css')).map(async (part) => (await shelf.match(part)).text()));
  await shelf.addAll(new Set(named(styles.join(), /\/assets\/[\w-]+-latin-(?!ext)[\w-]+\.woff2/g)));
}

/** The lists and the books themselves. Without them the pages still open. */
async function keepBooks(shelf) {
  await shelf.addAll(['/api/rulesets', '/api/scenarios', '/api/players']);
  const books = await (await shelf.match('/api/rulesets')).json();
  await shelf.addAll(books.map(({ name }) => `/api/rulesets/${name}/clauses`));
  // Beside a real table: the forms of every test, the turn with what is to be done in it, and what works the tests out. A book without a turn of
  // its own, or a program built without the last, is no reason to keep nothing.
  const companion = books.flatMap(({ name }) => ['tests', 'turn'].map((what) => `/api/rulesets/${name}/${what}`));
  await Promise.all([...companion, '/api/workshop/files', '/pocket.wasm'].map((address) => shelf.add(address).catch(() => undefined)));
}

self.addEventListener('install', (event) => {
  const kept = caches.open(SHELL).then(async (shelf) => {
    await keepShell(shelf);
    await keepBooks(shelf).catch(() => undefined);
  });
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => !KEPT.includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

const isHtml = (answer) => (answer.headers.get('Content-Type') ?? '').startsWith('text/html');

/** From the network, and kept; from what was kept, where there is none. */
async function fresh(request, key) {
  const shelf = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok && (key !== '/' || isHtml(answer))) await shelf.put(key, answer.clone());
    return answer;
  } catch (error) {
    const kept = await shelf.match(key);
    if (kept) return kept;
    throw error;
  }
}

/** The names of these change with what is in them: what was kept is right. */
async function kept(request) {
  const shelf = await caches.open(SHELL);
  const found = await shelf.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    await shelf.put(request, answer.clone());
    await forgetOld(shelf);
  }
  return answer;
}

/** So many parts of the pages are kept; those of versions long gone are let go. */
const MOST = 120;

async function forgetOld(shelf) {
  const parts = (await shelf.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(parts.slice(0, Math.max(0, parts.length - MOST)).map((part) => shelf.delete(part)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== location.origin) return;
  if (address.pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate') {
    // A report of the laboratory or a log is a page of the server's own, and no page of the client's.
    if (isPage(address.pathname)) event.respondWith(fresh(request, '/'));
  } else if (READ.test(address.pathname) || isPage(address.pathname)) event.respondWith(fresh(request, request));
});

/** Every push is shown; a tap opens its battle. */
self.addEventListener('push', (event) => {
  let said = { title: 'Sabretache', link: '/mine', battle: '' };
  try {
    said = { ...said, ...event.data.json() };
  } catch {
    // A push without words still says that something waits.
  }
  event.waitUntil(self.registration.showNotification(said.title, { icon: '/icon-192.png', badge: '/icon-192.png', tag: said.battle, data: said.link }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
