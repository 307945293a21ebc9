import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';
import { keepForProcess } from '../../../server/test/support/leaks.ts';
import { scaled } from '../../../server/test/support/time-scale.ts';
import { FEATURES } from './features.ts';

/** Limit on waiting for a page: it ends a test that hangs and measures nothing. */
const PATIENCE_MS = scaled(15_000);
/** Maximum idle contexts: most tests open one page, some two; a file with its own service takes another. */
const MAX_IDLE_CONTEXTS = 4;
const VIEWPORT = { width: 1280, height: 800 };
/** Path of a small document of the pages' origin, from which their storage can be emptied. */
const RESTING_PLACE = '/app/icon.svg';

/** A browser context with its one page. */
export interface Lease {
  context: BrowserContext;
  page: Page;
  origin: string;
  /** Errors of the page since it was lent. */
  faults: string[];
  /** True once the context was changed irreversibly: it serves no second test. */
  isSpent: boolean;
  /** True once the page was changed irreversibly: the next test gets another one. */
  isPageSpent: boolean;
  /** True if the time of its pages can leap, for the tests that ask for it. */
  hasClock: boolean;
}

/** Calls with irreversible effects. */
const LASTING = {
  context: ['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'routeWebSocket'],
  clock: ['pauseAt', 'setFixedTime', 'setSystemTime'],
  page: ['addInitScript', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'routeWebSocket'],
};

export interface ContextOptions extends BrowserContextOptions {
  /** True for a browser that shows notifications. */
  notifies?: true;
  /** True to fetch all other pages ahead, a second after a page was loaded, which costs a sixth of the load. */
  fetchesAhead?: true;
}

const browsers = new Map<string, Promise<Browser>>();

/** Starts one browser for each process and program, which ends with the process; contexts separate users. */
function launch(executablePath: string): Promise<Browser> {
  const running = browsers.get(executablePath);
  if (running) return running;
  const browser = keepForProcess(() =>
    chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        ...FEATURES,
        // Optimizing compilers do not pay off for pages that live a few seconds.
        '--js-flags=--max-optimized-bytecode-size=0',
      ],
    }),
  );
  browsers.set(executablePath, browser);
  return browser;
}

/** Emptied contexts for reuse, the last used one at the end. */
const idle: Lease[] = [];

/** @returns an empty context, which may have the files of the pages in its cache and its process running */
export async function leaseContext(url: string, hasClock: boolean): Promise<Lease> {
  const { origin } = new URL(url);
  const index = idle.findLastIndex((lease) => lease.origin === origin && lease.hasClock === hasClock);
  const [lease] = index < 0 ? [] : idle.splice(index, 1);
  return lease ?? openContext(origin, {});
}

/** Empties a context for the next test, or closes it where that is impossible. */
export async function returnContext(lease: Lease): Promise<void> {
  if (!(await empty(lease))) {
    await lease.context.close();
    return;
  }
  idle.push(lease);
  if (idle.length > MAX_IDLE_CONTEXTS) await idle.shift()?.context.close();
}

async function empty(lease: Lease): Promise<boolean> {
  const { context, origin } = lease;
  if (lease.isSpent) return false;
  try {
    if (lease.isPageSpent || lease.page.isClosed()) usePage(lease, await context.newPage());
    const { page } = lease;
    await Promise.all(
      context
        .pages()
        .filter((other) => other !== page)
        .map((other) => other.close()),
    );
    if (page.viewportSize()?.width !== VIEWPORT.width) await page.setViewportSize(VIEWPORT);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.goto(origin + RESTING_PLACE);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    await page.mouse.move(0, 0);
  } catch {
    // The service or the browser has ended.
    return false;
  }
  lease.faults.length = 0;
  return true;
}

export async function openContext(
  url: string,
  { notifies, fetchesAhead, ...options }: ContextOptions,
): Promise<Lease> {
  const browser = await launch(inject(notifies ? 'wholeChromium' : 'chromium'));
  const context = await browser.newContext({
    baseURL: url,
    viewport: VIEWPORT,
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (!fetchesAhead) await context.addInitScript(saveData);
  const page = await context.newPage();
  const lease: Lease = {
    context,
    page,
    origin: new URL(options.baseURL ?? url).origin,
    faults: [],
    isSpent: notifies === true || fetchesAhead === true || Object.keys(options).length > 0,
    isPageSpent: false,
    hasClock: false,
  };
  const spend = () => {
    lease.isSpent = true;
  };
  watchCalls(context, LASTING.context, spend);
  watchCalls(context.clock, LASTING.clock, spend);
  watchCalls(context.clock, ['install'], () => {
    lease.hasClock = true;
  });
  usePage(lease, page);
  return lease;
}

/** Runs in the page. Sets the browser's data saver. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

function usePage(lease: Lease, page: Page): void {
  lease.page = page;
  lease.faults = watchFaults(page);
  lease.isPageSpent = false;
  watchCalls(page, LASTING.page, () => {
    lease.isPageSpent = true;
  });
}

/** Calls `onCall` before each call of one of the methods. */
function watchCalls(target: object, names: readonly string[], onCall: () => void): void {
  for (const name of names) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') throw new Error(`There is no method ${name}.`);
    Reflect.set(target, name, (...parameters: unknown[]): unknown => {
      onCall();
      return Reflect.apply(method, target, parameters);
    });
  }
}

/** Collects the page's errors, without those that tests expect: the console also reports each answer that is no 2xx. */
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
