/** Answers where the network does not: the pages, the rulebook, the scenarios. Battles that are over are kept by the page itself. */

const SHELL = 'sabretache-shell-1';
const KEPT = [SHELL, 'sabretache-battles'];
/** What is worth keeping of the server's answers: it is the same for everybody, and no secret goes with it. */
const READ = /^\/api\/(rulesets|scenarios|players)(\/|$)/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((shelf) => shelf.addAll(['/', '/icon.svg', '/manifest.webmanifest']))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => !KEPT.includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

/** From the network, and kept; from what was kept, where there is none. */
async function fresh(request, key) {
  const shelf = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shelf.put(key, answer.clone());
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
  if (answer.ok) await shelf.put(request, answer.clone());
  return answer;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== location.origin) return;
  if (address.pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate') event.respondWith(fresh(request, '/'));
  else if (READ.test(address.pathname) || !address.pathname.startsWith('/api/')) event.respondWith(fresh(request, request));
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
