import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { findChromium } from './support/find-chromium.ts';
import { startService } from './support/processes.ts';
import { COUPON, PAYMENT, type Shop, seedShop, UNIT_PRICE } from './support/seed-shop.ts';

/*
 * The questions of people on call and of developers, each answered in a real browser on the data of five applications. Every
 * question begins on the page of an incident, the first one on its toast; clicks and keys are counted, and a question
 * that takes more than two clicks fails.
 */
const EVENTS = Number(process.env.EVENTS ?? 200_000);
const MAX_CLICKS = 2;
/** How long an answer may take to appear; how soon pages are complete is measured by `bench:dashboard`. */
const TIMEOUT_MS = 20_000;

interface Task {
  who: 'on call' | 'developer';
  asks: string;
  /** Returns what the page answered. */
  answer: (hands: Hands) => Promise<string>;
}

interface Hands {
  page: Page;
  click: (target: Locator) => Promise<void>;
  press: (key: string) => Promise<void>;
  /** The text that a page shows, once it does. */
  read: (target: Locator) => Promise<string>;
}

const head = (page: Page) => page.locator('main header');
const groups = (page: Page) => page.getByRole('list', { name: 'Groups' });

const TASKS: Task[] = [
  {
    who: 'on call',
    asks: 'Which error is it?',
    answer: async ({ page, read }) =>
      read(
        groups(page)
          .getByRole('link', { name: /unitPrice/ })
          .first(),
      ),
  },
  {
    who: 'on call',
    asks: 'Since when?',
    answer: async ({ page, read }) => read(head(page).locator('dl > div').filter({ hasText: 'Since' })),
  },
  {
    who: 'on call',
    asks: 'Whom does it hit?',
    answer: async ({ page, read }) =>
      read(page.getByRole('region', { name: 'Most affected' }).getByText(/^\d+ users$/)),
  },
  {
    who: 'on call',
    asks: 'What changed?',
    answer: async ({ page, read }) => read(head(page).locator('dl > div').filter({ hasText: 'Release' })),
  },
  {
    who: 'on call',
    asks: 'Is it getting worse?',
    answer: async ({ page, read }) =>
      read(
        head(page)
          .locator('p > span')
          .getByText(/now .* peak /),
      ),
  },
  {
    who: 'on call',
    asks: 'Who is on it?',
    answer: async ({ page, read }) =>
      read(
        head(page)
          .locator('dd')
          .getByText(/is on it$/),
      ),
  },
  {
    who: 'on call',
    asks: 'Did we have this before?',
    answer: async ({ page, read }) =>
      read(page.getByRole('list', { name: 'Previous incidents' }).getByText(/resolved by Grace/)),
  },
  {
    who: 'on call',
    asks: 'Silence it for an hour.',
    answer: async ({ page, click, read }) => {
      await click(
        groups(page)
          .getByRole('link', { name: /^Mute / })
          .first(),
      );
      await click(page.getByRole('menuitem', { name: 'For 1 hour' }));
      return read(page.getByText(/^muted until/));
    },
  },
  {
    who: 'on call',
    asks: 'Tell the others.',
    answer: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'More actions' }));
      await click(page.getByRole('menuitem', { name: 'Copy as Markdown' }));
      await page.getByText('Copied as Markdown').waitFor();
      return (await page.evaluate(() => navigator.clipboard.readText())).split('\n')[0] ?? '';
    },
  },
  {
    who: 'on call',
    asks: 'Send the link.',
    answer: async ({ page, press }) => {
      await press('y');
      await page.getByText('Link copied').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    },
  },
  {
    who: 'on call',
    asks: 'All events of one user.',
    answer: async ({ page, click, read }) => {
      await click(
        page
          .getByRole('region', { name: 'Newest event', exact: true })
          .getByRole('link', { name: /^user_id/ }),
      );
      return read(page.getByRole('button', { name: /^Remove filter user_id/ }).locator('..'));
    },
  },
  {
    who: 'on call',
    asks: 'The first occurrence.',
    answer: async ({ page, click, read }) => {
      await click(
        groups(page)
          .getByRole('link', { name: /unitPrice/ })
          .first(),
      );
      await click(page.getByRole('button', { name: 'Oldest' }));
      return read(
        page
          .getByRole('region', { name: /Oldest event|Event/ })
          .getByText(/\d\d:\d\d:\d\d/)
          .first(),
      );
    },
  },
  {
    who: 'on call',
    asks: 'Before and after the release.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: /^Compare 4\.18\.1/ }));
      return read(page.getByText(/^4\.18\.1 has a larger share of errors/));
    },
  },
  {
    who: 'developer',
    asks: 'New errors since the deploy.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: /^Compare 4\.18\.1/ }));
      return read(page.getByRole('region', { name: 'New in 4.18.1' }).getByRole('link').first());
    },
  },
  {
    who: 'developer',
    asks: 'My errors, by frequency.',
    answer: async ({ page, click, read }) => {
      await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' }));
      return read(page.getByRole('list', { name: 'Groups' }).getByRole('link').first());
    },
  },
  {
    who: 'developer',
    asks: 'The frame that failed.',
    answer: async ({ page, read }) =>
      read(
        page
          .getByRole('region', { name: 'Newest event', exact: true })
          .getByText(/computeLineTotal/)
          .first(),
      ),
  },
  {
    who: 'developer',
    asks: 'The whole stack, with libraries.',
    answer: async ({ page, click, read }) => {
      await click(page.getByRole('link', { name: 'Open event' }));
      await click(page.getByRole('button', { name: /library frame/ }));
      return read(page.getByText(/express\/lib\/router\/route\.js/).first());
    },
  },
  {
    who: 'developer',
    asks: 'Rotate a key: the form of a new one.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: 'Storefront' }));
      await click(page.getByRole('button', { name: 'Create key' }));
      return read(page.getByRole('dialog').getByRole('heading'));
    },
  },
];

const service = await startService();
const shop = await seedShop(service, EVENTS);
await stored(shop);
console.log(`${EVENTS} events of five applications are stored`);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const failed = await answerAll(await contextOf(shop), shop);
await browser.close();
await service.stop();
process.exitCode = failed ? 1 : 0;

async function contextOf({ cookies }: Shop): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const [name = '', value = ''] = cookies.ada.split('=');
  await context.addCookies([{ name, value, url: service.managementUrl }]);
  return context;
}

/** Prints a row for each question. */
async function answerAll(context: BrowserContext, data: Shop): Promise<boolean> {
  const page = await context.newPage();
  const address = await openIncidents(page, data);
  console.log('\n| Who | Question | Clicks | Keys | Answer |\n| --- | --- | --- | --- | --- |');
  let anyFailed = false;
  for (const { who, asks, answer } of TASKS) {
    let [clicks, keys] = [0, 0];
    await page.goto(address);
    await groups(page).waitFor();
    const hands: Hands = {
      page,
      click: async (target) => {
        clicks++;
        await target.click();
      },
      press: async (key) => {
        keys++;
        await page.keyboard.press(key);
      },
      read: async (target) => (await target.innerText()).replaceAll(/\s+/g, ' ').trim(),
    };
    const found = await answer(hands).catch((error: Error) => error);
    const isMissed = found instanceof Error || clicks > MAX_CLICKS;
    anyFailed ||= isMissed;
    const says = found instanceof Error ? `MISSED: ${found.message.split('\n')[0]}` : found.slice(0, 90);
    console.log(`| ${who} | ${asks} | ${clicks} | ${keys} | ${says} |`);
  }
  return anyFailed;
}

/** Lets the service open the incidents of a bad deploy while a page watches, and follows the toast. Returns the incident's address. */
async function openIncidents(page: Page, { api, send, deploy }: Shop): Promise<string> {
  const findOpen = async () =>
    (await api<{ id: string; title: string }[]>('ada', 'GET', '/incidents?status=open')).find(({ title }) =>
      title.includes('checkout'),
    );
  await send('Storefront', COUPON, 40, '4.18.0');
  const before = await until(findOpen);
  await api('grace', 'POST', `/incidents/${before.id}/notes`, {
    note: 'The coupons of spring had expired: extended.',
  });
  await api('grace', 'PATCH', `/incidents/${before.id}`, { status: 'resolved' });
  // Rates are counted by the minute: within one, both bursts would be one.
  await until(async () => (new Date().getSeconds() < 5 ? true : undefined));
  await page.goto(`${service.managementUrl}/app/`);
  await page.getByText('live', { exact: true }).waitFor();
  await deploy('4.18.1');
  await send('Payments', PAYMENT, 30, '2.9.1');
  const toast = page.getByRole('status').filter({ hasText: 'checkout' });
  for (;;) {
    await send('Storefront', UNIT_PRICE, 20, '4.18.1');
    if (await toast.first().isVisible()) break;
    await page.waitForTimeout(1_000);
  }
  await toast.getByRole('link', { name: 'Open' }).first().click();
  await page.getByRole('heading', { level: 1, name: /checkout/ }).waitFor();
  const address = page.url();
  console.log('From the toast to the incident: 1 click');
  await api('grace', 'PATCH', `/incidents/${address.split('/').at(-1)}`, { status: 'investigating' });
  return address;
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
