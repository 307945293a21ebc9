import type { BrowserContext, Page } from 'playwright-core';

const MAX_LONG_TASKS = 0;
const WHEELS = 40;
const WHEEL_PIXELS = 3_000;

/** A figure of the pages. */
export interface Figure {
  name: string;
  says: string;
  isMet: boolean;
}

/** Scrolls through the events of a week, and counts the tasks that keep the page busy for more than 50 ms. */
export async function measureScrolling(page: Page, managementUrl: string): Promise<Figure> {
  await page.goto(`${managementUrl}/app/events?range=7d`);
  const list = page.getByRole('grid', { name: 'Events' });
  await list.getByRole('gridcell').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const tasks: number[] = [];
    Reflect.set(window, 'longTasks', tasks);
    new PerformanceObserver((seen) => {
      for (const { duration } of seen.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  await list.hover();
  for (let wheel = 0; wheel < WHEELS; wheel++) {
    await page.mouse.wheel(0, WHEEL_PIXELS);
    await page.waitForTimeout(100);
  }
  const tasks = await page.evaluate(() => Reflect.get(window, 'longTasks') as number[]);
  const worst = tasks.reduce((most, task) => Math.max(most, task), 0);
  return {
    name: 'Tasks over 50 ms while scrolling through 7 days',
    says: `${tasks.length}${worst > 0 ? `, the longest ${worst.toFixed(0)} ms` : ''} (bar ${MAX_LONG_TASKS})`,
    isMet: tasks.length <= MAX_LONG_TASKS,
  };
}

/** Maximum kB of JavaScript that the document itself names, and of all that a page fetches. */
interface Bars {
  first: number;
  all: number;
}

/**
 * Weighs the JavaScript and the style sheets that a browser with an empty cache fetches for a page, compressed and without the
 * headers of the answers.
 */
export async function weighPage(context: BrowserContext, address: string, bars: Bars): Promise<Figure> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const firstIds = new Set<string>();
  const answers = new Map<string, { type: string; headerBytes: number }>();
  const bytes = { first: 0, Script: 0, Stylesheet: 0 };
  session.on('Network.requestWillBeSent', ({ requestId, initiator }) => {
    if (initiator.type === 'parser') firstIds.add(requestId);
  });
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    answers.set(requestId, { type, headerBytes: response.encodedDataLength }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { type, headerBytes = 0 } = answers.get(requestId) ?? {};
    if (type !== 'Script' && type !== 'Stylesheet') return;
    bytes[type] += encodedDataLength - headerBytes;
    if (type === 'Script' && firstIds.has(requestId)) bytes.first += encodedDataLength - headerBytes;
  });
  // Other pages are fetched ahead unless the user saves data.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  const [first = 0, script = 0, style = 0] = [bytes.first, bytes.Script, bytes.Stylesheet].map(
    (sum) => sum / 1_000,
  );
  return {
    name: `Fetched for ${new URL(address).pathname.replace(/inc_\w+/, '…')}`,
    says: `${script.toFixed(1)} kB of JavaScript (bar ${bars.all}), ${first.toFixed(1)} of them at first (bar ${bars.first}), and ${style.toFixed(1)} kB of style sheets`,
    isMet: first <= bars.first && script <= bars.all,
  };
}
