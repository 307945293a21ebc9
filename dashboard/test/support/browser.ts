import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, inject } from 'vitest';
import { startTestService, type TestService, type TestUser } from '../../../server/test/support/service.ts';
import { scaled } from '../../../server/test/support/time-scale.ts';

/** Limit on waiting for a page: it ends a test that hangs and measures nothing. */
const PATIENCE_MS = scaled(15_000);

let browser: Promise<Browser> | null = null;

/** One browser a test file; contexts are what keeps users apart. */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: inject('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });
  return browser;
}

afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

/** Pages end with the test that opened them: an open page keeps sending requests and slows the next test. */
const opened: BrowserContext[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()));
});

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors of the page so far: uncaught errors, messages of the console, refusals of the policy. */
  faults: string[];
  /** Opens a page of the dashboard, such as `/events?severity=error`. */
  open: (path: string) => Promise<void>;
}

/** A separate browser context, with or without a logged-in user. */
export async function visit(
  service: TestService,
  user: TestUser | null = null,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const visited = await startVisit(service, user, options);
  opened.push(visited.context);
  return visited;
}

/**
 * A browser for the tests of a file that only look at pages, one after the other: a new one costs more than a page does.
 * The end of the file closes it.
 */
export async function visitOfFile(
  service: TestService,
  user: TestUser | null = null,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const visited = await startVisit(service, user, options);
  afterAll(() => visited.context.close());
  return visited;
}

async function startVisit(
  service: TestService,
  user: TestUser | null,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await (await launch()).newContext({
    baseURL: service.managementUrl,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (user) {
    const answer = await context.request.post('/auth/login', {
      data: { email: user.email, password: user.password },
    });
    if (!answer.ok()) throw new Error(`The login was answered ${answer.status()}.`);
  }
  const page = await context.newPage();
  const faults = watchFaults(page);
  const open = async (path: string) => void (await page.goto(`/app${path}`));
  return { page, context, faults, open };
}

/** Errors that are no news to a test: an answer that is no 2xx is also written to the console. */
function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || text.startsWith('Failed to load resource')) return;
    faults.push(text);
  });
  return faults;
}

export { startTestService, type TestService, type TestUser };
