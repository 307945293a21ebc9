import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { options } from 'preact';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { watchSessionEnd } from './lib/api.ts';
import { queryClient, sessionQuery } from './lib/queries.ts';
import { listenForShortcuts } from './lib/shortcuts.ts';
import './ui/font/font.css';
import './ui/theme.css';
import './ui/outline.css';

// As React does after a click or a key: effects run, and what they change is drawn, before anything else. Preact waits for a frame,
// and a menu of Base UI that opens by a key would leave the focus beside its first action.
options.requestAnimationFrame = (runEffects) => queueMicrotask(() => flushSync(runEffects));
listenForShortcuts();
addEventListener('focusin', (event) => {
  // Read now: the focused element may be gone before the code is there.
  const path = event.composedPath();
  void import('./app/keep-focus.ts').then(({ keepFocus }) => keepFocus(path)).catch(() => {});
});
watchSessionEnd(() => {
  // The latest location is the target of a navigation that may not be drawn yet; it has no base path.
  const { pathname, href } = router.latestLocation;
  if (/^\/(?:login|signup|join|reset)$/.test(pathname)) return;
  // On a first visit there was no session that could end: the route itself leads to the login.
  if (!queryClient.getQueryData(sessionQuery.queryKey)) return;
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next: href, ended: true }, replace: true });
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
const app = createRoot(root);
// A reloaded page can be left by the way back before it is drawn: its address is then another one.
const stopFollowing = router.history.subscribe(() => void router.load());
// The outline of the frame stays until the first page can be drawn whole.
void router.load().then(() => {
  stopFollowing();
  document.getElementById('outline')?.remove();
  app.render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
});
