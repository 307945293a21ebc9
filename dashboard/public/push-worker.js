/*
 * Shows what the service sends to this browser, also while no page of the dashboard is open, and opens its page. It answers
 * no request of pages and keeps nothing: what a page shows comes from the service.
 */
const HOME = '/app/incidents';

self.addEventListener('push', (event) => {
  const { title, body, tag, path, silence, stays } = readData(event.data);
  // Browsers show all of it as plain text.
  const options = {
    body: textOf(body, 'Something has happened: Tocsin has the details.'),
    tag: textOf(tag, 'tocsin'),
    renotify: true,
    requireInteraction: stays === true,
    icon: '/app/icon.svg',
    data: { path: textOf(path, HOME), silencePath: textOf(silence?.path, HOME) },
    actions: silence ? [{ action: 'silence', title: textOf(silence.label, 'Silence') }] : [],
  };
  event.waitUntil(self.registration.showNotification(textOf(title, 'Tocsin'), options));
});

self.addEventListener('notificationclick', (event) => {
  const { path, silencePath } = event.notification.data ?? {};
  event.notification.close();
  event.waitUntil(open(event.action === 'silence' ? silencePath : path));
});

/** The browser has a new address: the former one is removed when the service sends to it. */
self.addEventListener('pushsubscriptionchange', (event) => {
  const options = event.oldSubscription?.options;
  if (options) event.waitUntil(self.registration.pushManager.subscribe(options).then(report));
});

/** Every push has to be shown, also one that cannot be read. */
function readData(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

function textOf(value, fallback) {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

/** The page, in the window that shows it already or a new one: what another window shows stays. */
async function open(path) {
  const url = new URL(textOf(path, HOME), self.location.origin);
  const isOurs = url.origin === self.location.origin && url.pathname.startsWith('/app/');
  const { href } = isOurs ? url : new URL(HOME, self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((each) => each.url === href);
  return there ? there.focus() : self.clients.openWindow(href);
}

async function report(subscription) {
  await fetch('/web-push/browsers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscription),
  });
}
