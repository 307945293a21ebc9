import './first-parts.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SAVES_DATA } from '../lib/platform.ts';
import { incidentCountsQuery } from '../lib/queries.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { menuPopup } from '../ui/controls/menu.tsx';
import { selectPopup } from '../ui/controls/select.tsx';
import { EventPanelContext } from '../ui/event/event-panel-slot.tsx';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { LazyPart, lazyPart } from '../ui/layout/lazy-part.tsx';
import { SilenceContext } from '../ui/silences/silence-slot.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { KeyList } from './key-list.tsx';
import { lazyPage, preloadPages } from './lazy-page.tsx';
import { Navigation } from './navigation/navigation.tsx';
import { PLACES } from './navigation/places.ts';
import { texts as navigation } from './navigation/texts.ts';
import { useBanners } from './notices/use-banners.ts';
import { Settled } from './settled.tsx';
import { texts } from './texts.ts';
import { TopBar } from './top-bar.tsx';
import { useConnection } from './use-connection.ts';
import { importTellNews, useIncidentNews } from './use-incident-news.ts';

const importPalette = () => import('./palette/command-palette.tsx');
const CommandPalette = lazyPart(importPalette, 'CommandPalette');
/**
 * After this time the palette and all pages are fetched, unless the user saves data: text typed right after Ctrl-K reaches the
 * palette, and a click works while the service restarts.
 */
const PRELOAD_AFTER_MS = 1_000;
const EventPanel = lazyPage(() => import('../features/events/detail/event-panel.tsx'), 'EventPanel');
const Silences = lazyPage(() => import('../features/silences/silence-control.tsx'), 'SilenceControl');
/** Makes a browser that notifies of incidents by itself do so for the user who is logged in. */
async function resumeNotifications() {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  await (await import('../features/account/this-browser.ts')).resumeThisBrowser();
}
// Shown seldom, so not part of the initial chunk.
export const Notices = lazyPage(() => import('./notices/notices.tsx'), 'Notices');

/** Header, navigation and banners around every page behind the login. */
export function AppShell() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const close = () => setOpen(null);
  const navigate = useNavigate();
  const banners = useBanners();
  useConnection();
  useEffect(() => {
    // A failed load is repeated when the part is needed.
    const timer = setTimeout(() => {
      void resumeNotifications().catch(() => {});
      if (SAVES_DATA) return;
      void importPalette().catch(() => {});
      void importTellNews().catch(() => {});
      selectPopup.load();
      menuPopup.load();
      void preloadPages();
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return;
      event.preventDefault();
      setOpen('palette');
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  useShortcuts([
    { keys: '?', label: texts.keys.title, everywhere: true, run: () => setOpen('keys') },
    ...PLACES.map(({ keys, label, to }) => ({
      keys,
      label,
      everywhere: true as const,
      run: () => void navigate({ to }),
    })),
  ]);
  useIncidentNews();
  const { data: counts } = useQuery(incidentCountsQuery(undefined));
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, '');
    document.title = counts && counts.open > 0 ? `(${counts.open}) ${title}` : title;
  }, [counts]);

  return (
    <div className="flex min-h-dvh flex-col sm:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:px-3 focus:py-2"
      >
        {navigation.skip}
      </a>
      <Navigation openIncidents={counts?.open ?? 0} />
      <div className="flex min-w-0 flex-1 flex-col pb-14 sm:pb-0">
        <TopBar onSearch={() => setOpen('palette')} banners={banners} />
        <Notices banners={banners} />
        <main id="content" tabIndex={-1} className="relative min-w-0 flex-1 outline-none">
          <EventPanelContext value={EventPanel}>
            <SilenceContext value={Silences}>
              <Settled>
                <Outlet />
              </Settled>
            </SilenceContext>
          </EventPanelContext>
        </main>
      </div>
      <Toasts>
        <ConnectionBanner />
      </Toasts>
      {open === 'palette' && (
        <LazyPart onClose={close}>
          <CommandPalette onClose={close} onShowKeys={() => setOpen('keys')} />
        </LazyPart>
      )}
      {open === 'keys' && <KeyList onClose={close} />}
    </div>
  );
}
