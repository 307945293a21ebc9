import type { Page } from 'playwright-core';
import { atEnd } from '../../../server/test/support/at-end.ts';
import {
  startTestService,
  type TestProject,
  type TestService,
  type TestUser,
} from '../../../server/test/support/service.ts';
import { type ContextOptions, type Lease, leaseContext, openContext, returnContext } from './contexts.ts';
import { hasPages, navigate } from './navigate.ts';

export interface Visit extends Pick<Lease, 'page' | 'context'> {
  /** Errors of the page so far: uncaught errors, messages of the console, refusals of the policy. */
  faults: string[];
  /** Opens a page of the dashboard, such as `/events?severity=error`. */
  open: (path: string) => Promise<void>;
  /** Opens one as a link of the loaded page does, without a load; loads it if none is loaded. */
  go: (path: string) => Promise<void>;
}

export interface VisitOptions extends ContextOptions {
  /** True: the time of its pages can leap; it begins with the present. */
  hasClock?: boolean;
}

/**
 * Lends a browser context with or without a logged-in user: empty, but with the files of the pages in its cache. With options other
 * than the size of the window and the clock it is a new one, which costs twice as much. The end of the test takes it back;
 * outside of one, where all tests of a file look at its page one after the other, the end of the file.
 */
export async function visit(
  service: TestService,
  user: TestUser | null = null,
  options?: VisitOptions,
): Promise<Visit> {
  const lease = await startLease(service, user, options);
  atEnd(() => returnContext(lease));
  return toVisit(lease);
}

async function startLease(
  { managementUrl }: TestService,
  user: TestUser | null,
  { viewport, hasClock = false, ...options }: VisitOptions = {},
): Promise<Lease> {
  const isOwn = Object.keys(options).length > 0;
  const lease = await (isOwn ? openContext(managementUrl, options) : leaseContext(managementUrl, hasClock));
  if (viewport) await lease.page.setViewportSize(viewport);
  // Installed again in a reused context: the next page then starts at the present time.
  if (hasClock) await lease.page.clock.install();
  const [name, value] = user?.api.cookie?.split('=') ?? [];
  if (name && value) {
    const cookie = { name, value, url: lease.origin, httpOnly: true, sameSite: 'Lax' as const };
    await lease.context.addCookies([cookie]);
  }
  return lease;
}

function toVisit({ page, context, faults }: Lease): Visit {
  const open = async (path: string) => void (await page.goto(`/app${path}`));
  const go = async (path: string) => ((await hasPages(page)) ? navigate(page, `/app${path}`) : open(path));
  return { page, context, faults, open, go };
}

/** Gives a page a session of its own: that of `visit` is the session of the user's API client, which a logout would end. */
export async function logInAnew({ page }: { page: Page }, { email, password }: TestUser): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: { email, password } });
  if (!answer.ok()) throw new Error(`The login was answered ${answer.status()}.`);
}

/** Waits until a page is connected: it hears of no change before. */
export async function becomesLive(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'live' }).waitFor();
}

export { startTestService, type TestProject, type TestService, type TestUser };
