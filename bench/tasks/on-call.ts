import type { Page } from 'playwright-core';
import { UNIT_PRICE } from '../support/seed-shop.ts';
import type { Task } from './task.ts';
import { clockOf, exactOf, minuteOf, numberOf } from './truth.ts';

const HOUR_MS = 3_600_000;
export const NOTE = 'The coupons of spring had expired: extended.';

export const head = (page: Page) => page.locator('main header');
const fact = (page: Page, name: string) => head(page).locator('dl > div').filter({ hasText: name });
export const groups = (page: Page) => page.getByRole('list', { name: 'Groups' });
export const newest = (page: Page) => page.getByRole('region', { name: 'Newest event', exact: true });
const worst = (page: Page) => groups(page).getByRole('link', { name: /unitPrice/ });

/** Questions of people on call. */
export const ON_CALL: readonly Task[] = [
  {
    asks: 'Which error is it?',
    answer: ({ page, read }) => read(worst(page).first()),
    isTrue: (answer, { truth: { events, users } }) =>
      [UNIT_PRICE.message, `100% · ${numberOf(events.length)} events · ${users} users`].every((part) =>
        answer.includes(part),
      ),
  },
  {
    asks: 'Since when?',
    answer: ({ page, read }) => read(fact(page, 'Since')),
    isTrue: (answer, { truth }) => answer.startsWith(`Since ${minuteOf(truth.events[0]?.atMs ?? 0)} (`),
  },
  {
    asks: 'Whom does it hit?',
    answer: ({ page, read }) =>
      read(page.getByRole('region', { name: 'Most affected' }).getByText(/^[\d,]+ users$/)),
    isTrue: (answer, { truth }) => answer === `${truth.users} users`,
  },
  {
    asks: 'What changed?',
    answer: ({ page, read }) => read(fact(page, 'Release')),
    isTrue: (answer, { truth }) =>
      truth.events.every(({ release }) => answer.includes(release)) && /new in|deployed/.test(answer),
  },
  {
    asks: 'How bad is it, and is it getting worse?',
    answer: ({ page, read }) =>
      read(
        head(page)
          .locator('p > span')
          .filter({ hasText: / now .* peak / }),
      ),
    isTrue: (answer, { truth: { minutes } }) => {
      const [, rate = '', at = ''] = /peak ([\d,]+)\/min at (\d\d:\d\d)/.exec(answer) ?? [];
      const most = Math.max(...minutes.values());
      return rate === numberOf(most) && minutes.get(at) === most;
    },
  },
  {
    asks: 'Who is on it?',
    answer: ({ page, read }) => read(fact(page, 'Who')),
    isTrue: (answer) => answer === 'Who Grace Hopper is on it',
  },
  {
    asks: 'Did we have this before?',
    answer: ({ page, read }) =>
      read(page.getByRole('list', { name: 'Previous incidents' }).getByRole('listitem').first()),
    isTrue: (answer) => answer.includes('resolved by Grace Hopper') && answer.includes(NOTE),
  },
  {
    asks: 'Silence it for an hour.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('button', { name: 'Silence' }));
      await click(page.getByRole('dialog').getByRole('button', { name: 'Silence' }));
      return read(page.getByText(/^Silenced by Ada Lovelace until/).first());
    },
    isTrue: async (answer, { shop }) => {
      const [silence] = await shop.api<{ until: string }[]>('ada', 'GET', '/silences');
      if (!silence) return false;
      const untilMs = Date.parse(silence.until);
      return answer.includes(clockOf(untilMs)) && Math.abs(untilMs - Date.now() - HOUR_MS) < 60_000;
    },
  },
  {
    asks: 'Tell the others.',
    answer: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'More actions' }));
      await click(page.getByRole('menuitem', { name: 'Copy as Markdown' }));
      await page.getByText('Copied as Markdown').waitFor();
      return (await page.evaluate(() => navigator.clipboard.readText())).replaceAll(/\s+/g, ' ');
    },
    isTrue: (answer, { truth: { events, users }, address }) =>
      [
        'unitPrice',
        `${events.length} events · ${users} users`,
        `${events[0]?.release}`,
        'Grace Hopper is on it',
        `<${address}>`,
      ].every((part) => answer.includes(part)),
  },
  {
    asks: 'Send the link.',
    answer: async ({ page, press }) => {
      await press('y');
      await page.getByText('Link copied').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    },
    isTrue: (answer, { address }) => answer === address,
  },
  {
    asks: 'All events of one user.',
    answer: async ({ page, click, read }) => {
      await click(newest(page).getByRole('link', { name: /^user_id/ }));
      await page.getByRole('button', { name: /^Remove filter user_id/ }).waitFor();
      return read(
        page.getByRole('figure', { name: 'Events over time' }).getByText(/^[\d,]+ events?(?: ·|$)/),
      );
    },
    isTrue: (answer, { shop, page }) => {
      const search = new URL(page).searchParams;
      const [from, to] = ['from', 'to'].map((name) => Date.parse(search.get(name) ?? ''));
      const user = /usr_\d+/.exec(page)?.[0];
      const own = shop.sent.filter(
        ({ application, user: one, atMs }) =>
          application === 'Storefront' && one === user && atMs > Number(from) && atMs < Number(to),
      );
      return Number(/^[\d,]+/.exec(answer)?.[0].replaceAll(',', '')) === own.length;
    },
  },
  {
    asks: 'The first occurrence.',
    answer: async ({ page, click, read }) => {
      await click(worst(page).first());
      await click(page.getByRole('button', { name: 'Oldest' }));
      return read(
        page
          .getByRole('region', { name: 'Oldest event' })
          .getByText(/\d\d:\d\d:\d\d/)
          .first(),
      );
    },
    isTrue: (answer, { shop }) => {
      const first = shop.sent.find(({ kind }) => kind === UNIT_PRICE.message);
      return answer.includes(exactOf(first?.atMs ?? 0));
    },
  },
  {
    asks: 'Before and after the release.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: /^Compare 4\.18\.1/ }));
      return read(page.getByRole('region', { name: 'Errors', exact: true }));
    },
    isTrue: (answer, { truth }) => {
      const [now, before] = [truth.release('4.18.1'), truth.release('4.18.0')];
      const said = [now, before].map(
        ({ events, errors }) => `${numberOf(errors)} of ${numberOf(events)} events`,
      );
      return answer.includes(said.join(', was '));
    },
  },
];
