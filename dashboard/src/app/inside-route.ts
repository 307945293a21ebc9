import { createRootRoute, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { findSession } from '../lib/queries.ts';
import { readScope } from '../lib/scope.ts';
import { AppShell, Notices } from './app-shell.tsx';
import { loadBanners } from './notices/use-banners.ts';
import { connect } from './use-connection.ts';

export const root = createRootRoute({
  component: Outlet,
});

/** Everything behind the login. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: readScope,
  search: { middlewares: [retainSearchParams(['project', 'range', 'from', 'to'])] },
  beforeLoad: async ({ location, cause }): Promise<void> => {
    const session = await findSession();
    if (session) {
      // Only on entry: between pages, a log-out that still sends changes has closed the connection.
      if (cause === 'enter') connect();
      return loadBanners(session, Notices.preload);
    }
    throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
  },
  component: AppShell,
});
