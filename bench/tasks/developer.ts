import { readFile } from 'node:fs/promises';
import { UNIT_PRICE } from '../support/seed-shop.ts';
import { groups, head, newest } from './on-call.ts';
import type { Task } from './task.ts';
import { numberOf } from './truth.ts';

const [failed] = UNIT_PRICE.frames ?? [];

/** Questions of developers. */
export const DEVELOPER: readonly Task[] = [
  {
    asks: 'New errors since the deploy.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: /^Compare 4\.18\.1/ }));
      return read(page.getByRole('region', { name: 'New in 4.18.1' }).getByRole('list'));
    },
    isTrue: (answer, { truth }) =>
      answer.includes(UNIT_PRICE.message) &&
      answer.split('STOREFRONT-').length === 2 &&
      truth.release('4.18.0').errors > 0,
  },
  {
    asks: 'All errors, by frequency.',
    answer: async ({ page, click, read }) => {
      await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' }));
      await click(page.getByRole('main').getByRole('button', { name: 'Events', exact: true }));
      await page.waitForURL(/sort=count/);
      await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
      return read(groups(page).getByRole('link').first());
    },
    isTrue: (answer, { truth }) => {
      const [before = '', after = ''] = truth.mostFrequent.split('#');
      return answer.startsWith(before) && answer.endsWith(after);
    },
  },
  {
    asks: 'The frame that failed.',
    answer: ({ page, read }) => read(newest(page).locator('ol li').first()),
    isTrue: (answer) => failed?.every((part) => answer.includes(String(part))) === true,
  },
  {
    asks: 'The whole stack, with libraries.',
    answer: async ({ page, click, read }) => {
      await click(page.getByRole('link', { name: 'Open event' }));
      await click(page.getByRole('button', { name: /library frame/ }));
      return read(page.getByText(/express\/lib\/router\/route\.js/).first());
    },
    isTrue: (answer) => answer.includes('route.js:149'),
  },
  {
    asks: 'These events as a file.',
    answer: async ({ page, click }) => {
      await click(page.getByRole('link', { name: /^View all/ }));
      await click(page.getByRole('button', { name: 'Export' }));
      const download = page.waitForEvent('download');
      await click(page.getByRole('menuitem', { name: 'CSV' }));
      const text = await readFile(await (await download).path(), 'utf8');
      return `${numberOf(text.split('unitPrice').length - 1)} mentions of unitPrice`;
    },
    isTrue: (answer, { truth }) =>
      // The message, and the stack in the payload.
      [1, 2].some((times) => answer === `${numberOf(times * truth.events.length)} mentions of unitPrice`),
  },
  {
    asks: 'Rotate a key: the form of a new one.',
    answer: async ({ page, click, read }) => {
      await click(head(page).getByRole('link', { name: 'Storefront' }));
      await click(page.getByRole('button', { name: 'Create key' }));
      return read(page.getByRole('dialog').getByRole('heading'));
    },
    isTrue: (answer) => answer === 'Create a key for Storefront',
  },
  {
    asks: 'A token for a script.',
    answer: async ({ page, click }) => {
      await click(page.locator('summary[aria-label="Ada Lovelace"]'));
      await click(page.getByRole('link', { name: 'Account' }));
      await click(page.getByRole('button', { name: 'Create token' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Report');
      await click(dialog.getByRole('button', { name: 'Create token' }));
      return page.getByLabel('Access token', { exact: true }).inputValue();
    },
    isTrue: async (answer, { address }) => {
      const headers = { authorization: `Bearer ${answer}` };
      return (await fetch(new URL('/projects', address), { headers })).ok;
    },
  },
  {
    asks: 'Why did something else open no incident?',
    answer: async ({ page, click, read }) => {
      await click(page.getByRole('button', { name: 'Why' }));
      await click(page.getByRole('link', { name: 'Alert settings' }));
      await click(page.getByRole('link', { name: 'Quiet log' }));
      await page.getByText('why they opened no incident').waitFor();
      await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
      return read(
        page
          .getByText(/Nothing kept quiet in the last 7 days/)
          .or(page.getByRole('list', { name: 'Decisions' })),
      );
    },
    isTrue: async (answer, { shop, page }) => {
      const project = new URL(page).searchParams.get('project');
      const quiet = await shop.api<unknown[]>(
        'ada',
        'GET',
        `/projects/${project}/risk/decisions?outcome=suppressed`,
      );
      return answer.startsWith('Nothing')
        ? quiet.length === 0
        : answer.split('kept quiet').length - 1 === quiet.length;
    },
  },
];
