import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './support/find-chromium.ts';
import { startService } from './support/processes.ts';
import { COUPON, PAYMENT, type Shop, seedShop, UNIT_PRICE } from './support/seed-shop.ts';
import { DEVELOPER } from './tasks/developer.ts';
import { NOTE, ON_CALL } from './tasks/on-call.ts';
import { answerTask } from './tasks/task.ts';
import { countTruth } from './tasks/truth.ts';
import { measureScrolling, weighPage } from './tasks/weigh-pages.ts';

/*
 * The questions of people on call and of developers, each answered in a real browser on the data of five applications, and
 * compared with the events that were sent. Every question begins on the page of an incident, the first one on its toast; clicks
 * and keys are counted. One that has no true answer fails, and one of people on call that takes more than two clicks. Then the
 * pages are weighed, and the events of a week scrolled.
 */
const EVENTS = Number(process.env.EVENTS ?? 200_000);
/** Maximum clicks to each answer for people on call. */
const MAX_CLICKS = 2;
/** How long an answer may take to appear; how soon pages are complete is measured by `bench:dashboard`. */
const TIMEOUT_MS = 20_000;
/**
 * Maximum kB of JavaScript that comes first, and that a page fetches in all. The test of sizes counts an incident's frame, page and
 * chart alone; here it is all that is fetched until the page is at rest. Both are bounds against growth, a little above what is measured.
 */
const BARS = { first: 80, all: 120 };

const service = await startService();
const shop = await seedShop(service, EVENTS);
await stored(shop);
console.log(`${EVENTS} events of five applications are stored`);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const context = await contextOf(shop);
const page = await context.newPage();
const address = await openIncidents(page, shop);
await stored(shop);
const areAnswered = await answerAll();
const figures = [
  await weighPage(context, `${service.managementUrl}/app/`, BARS),
  await weighPage(context, address, BARS),
  await measureScrolling(page, service.managementUrl),
];
console.log('');
for (const { name, says, isMet } of figures) console.log(`${isMet ? '' : 'MISSED: '}${name}: ${says}`);
await browser.close();
await service.stop();
process.exitCode = areAnswered && figures.every(({ isMet }) => isMet) ? 0 : 1;

async function contextOf({ cookies }: Shop): Promise<BrowserContext> {
  const opened = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  opened.setDefaultTimeout(TIMEOUT_MS);
  const [name = '', value = ''] = cookies.ada.split('=');
  await opened.addCookies([{ name, value, url: service.managementUrl }]);
  return opened;
}

/** Prints a row for each question. Returns true if all have their answers. */
async function answerAll(): Promise<boolean> {
  console.log('\n| Who | Question | Clicks | Keys | Answer |\n| --- | --- | --- | --- | --- |');
  const facts = { truth: countTruth(shop), shop, address };
  let areAll = true;
  for (const [who, tasks, maxClicks] of [
    ['on call', ON_CALL, MAX_CLICKS],
    ['developer', DEVELOPER, Number.POSITIVE_INFINITY],
  ] as const) {
    for (const task of tasks) {
      const { asks, clicks, keys, says, isTrue } = await answerTask(page, task, facts);
      areAll &&= isTrue && clicks <= maxClicks;
      console.log(`| ${who} | ${asks} | ${clicks} | ${keys} | ${says.slice(0, 120)} |`);
    }
  }
  return areAll;
}

/** Lets the service open the incidents of a bad deploy while a page watches, and follows the toast. Returns the incident's address. */
async function openIncidents(watching: Page, { api, send, deploy }: Shop): Promise<string> {
  const findOpen = async () =>
    (await api<{ id: string; title: string }[]>('ada', 'GET', '/incidents?status=open')).find(({ title }) =>
      title.includes('checkout'),
    );
  await send('Storefront', COUPON, 40, '4.18.0');
  const before = await until(findOpen);
  await api('grace', 'POST', `/incidents/${before.id}/notes`, {
    note: NOTE,
  });
  await api('grace', 'PATCH', `/incidents/${before.id}`, { status: 'resolved' });
  // Rates are counted by the minute: within one, both bursts would be one.
  const beforeMinute = minuteNow();
  await until(async () => (minuteNow() > beforeMinute && new Date().getSeconds() < 5 ? true : undefined));
  await watching.goto(`${service.managementUrl}/app/`);
  await watching.getByText('live', { exact: true }).waitFor();
  await deploy('4.18.1');
  await send('Payments', PAYMENT, 30, '2.9.1');
  const toast = watching.getByRole('status').filter({ hasText: 'checkout' });
  for (;;) {
    await send('Storefront', UNIT_PRICE, 20, '4.18.1');
    if (await toast.first().isVisible()) break;
    await watching.waitForTimeout(1_000);
  }
  await toast.getByRole('link', { name: 'Open' }).first().click();
  await watching.getByRole('heading', { level: 1, name: /checkout/ }).waitFor();
  const opened = watching.url();
  console.log('From the toast to the incident: 1 click');
  await api('grace', 'PATCH', `/incidents/${opened.split('/').at(-1)}`, { status: 'investigating' });
  return opened;
}

function minuteNow(): number {
  return Math.floor(Date.now() / 60_000);
}

async function stored({ api }: Shop): Promise<void> {
  await until(async () => {
    const {
      accepted,
      queued,
      stored: done,
    } = await api<{ accepted: number; queued: number; stored: number }>(
      'ada',
      'GET',
      '/organizations/ledger',
    );
    return queued === 0 && done >= accepted ? true : undefined;
  });
}

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
