import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();

interface SentEvent {
  severity: string;
  message: string;
  release: string;
  environment?: string;
}

const of = (count: number, event: SentEvent) =>
  Array.from({ length: count }, () => ({ type: 'checkout', ...event }));

async function signUpWith(...batches: SentEvent[][]) {
  const user = await service.signUp();
  const project = await user.createProject('Shop');
  for (const batch of batches) {
    await expectStatus(202, project.ingest.post('/ingest/bulk', batch));
    await service.settled();
  }
  return { user, project };
}

const error = (message: string, release: string) => ({ severity: 'ERROR', message, release });
const info = (release: string, environment?: string) => ({
  severity: 'INFO',
  message: 'Order was placed',
  release,
  ...(environment !== undefined && { environment }),
});
const rowsOf = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts();

describe('the page that compares two releases', () => {
  it('shows only numbers that are those of the raw events', async () => {
    const { user, project } = await signUpWith(
      [
        ...of(25, error('No price was found', '1.0.0')),
        ...of(2, error('Card was declined', '1.0.0')),
        ...of(3, error('The disk is full', '1.0.0')),
        ...of(470, info('1.0.0')),
      ],
      [
        ...of(160, error('No price was found', '1.1.0')),
        ...of(18, error('Card was declined', '1.1.0')),
        ...of(7, error('Unknown currency', '1.1.0')),
        ...of(15, info('1.1.0')),
      ],
    );
    const raw: SentEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body, headers } = await user.api.get(`/events?project_id=${project.id}&limit=200${cursor}`);
      raw.push(...body);
      const next = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '');
      cursor = next ? `&cursor=${next[1]}` : null;
    }
    const count = (release: string, matches: (event: SentEvent) => boolean = () => true) =>
      raw.filter((event) => event.release === release && matches(event)).length;
    const [all, before] = [count('1.1.0'), count('1.0.0')];
    const [errors, errorsBefore] = ['1.1.0', '1.0.0'].map((release) =>
      count(release, ({ severity }) => severity === 'error'),
    ) as [number, number];
    const named = (message: string) => (event: SentEvent) => event.message === message;
    const price = ['1.1.0', '1.0.0'].map((release) => count(release, named('No price was found'))) as [
      number,
      number,
    ];
    const rate = (part: number, whole: number) => (1_000 * part) / whole;
    const points = (part: number, base: number) => Math.round(100 * (part / all - base / before));

    const { page, open, faults } = await visit(service, user);
    await open('/releases/compare');
    const share = page.getByRole('region', { name: 'Errors', exact: true });
    await share.waitFor();
    expect((await share.innerText()).split(/\n+/)).toEqual([
      'Errors',
      `${((100 * errors) / all).toPrecision(2)}% of events`,
      `was ${((100 * errorsBefore) / before).toPrecision(1)}% · +${points(errors, errorsBefore)} points (${Math.round(errors / all / (errorsBefore / before))}×)`,
      `${errors} of ${all} events, was ${errorsBefore} of ${before} events. One burst of errors can skew this.`,
    ]);
    const [worst, second] = await rowsOf(page, 'Got worse');
    expect(worst).toContain('No price was found');
    expect(worst).toContain(`${rate(price[0], all)} per 1,000 events, was ${rate(price[1], before)}`);
    expect(worst).toContain(
      `+${points(price[0], price[1])} points (${price[0] / all / (price[1] / before)}×)`,
    );
    expect(second).toContain(
      `${count('1.1.0', named('Card was declined'))} of ${all} events, was ${count('1.0.0', named('Card was declined'))} of ${before} events`,
    );
    expect(second).toMatch(/\+8\.6 points \(\+5\.\d to \+1\d\)/);
    expect(await rowsOf(page, 'New in 1.1.0')).toEqual([
      expect.stringContaining(`${count('1.1.0', named('Unknown currency'))} of ${all} events`),
    ]);
    expect(await rowsOf(page, 'Not seen in 1.1.0')).toEqual([
      expect.stringContaining(`${count('1.0.0', named('The disk is full'))} events in 1.0.0`),
    ]);
    expect(faults).toEqual([]);
  });

  it('copies the result in one line, and keeps the chosen releases and environment in the address', async () => {
    const { user } = await signUpWith(
      [...of(30, info('1.0.0')), ...of(2, info('1.0.0', 'staging'))],
      [...of(30, error('Broken [link](x)', '1.1.0')), ...of(2, info('1.1.0', 'staging'))],
    );
    const { page, open, faults } = await visit(service, user);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/releases/compare');
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect
      .poll(read)
      .toMatch(
        /^1\.1\.0 against 1\.0\.0: errors 100% of events \(0 of 30 events\), worst: Broken \[link\]\(x\) new, 1,000 per/,
      );
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect
      .poll(read)
      .toMatch(/^\[1\.1\.0 against 1\.0\.0\]\(http.*\): errors .*\[Broken \\\[link\\\]\(x\)\]\(/);
    const link = /\]\((http[^)]*)\)/.exec(await read())?.[1] ?? '';
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({ release: '1.1.0', base: '1.0.0' });
    await page.getByLabel('Environment').click();
    await page.getByRole('option', { name: 'staging' }).click();
    await page
      .getByText(/^1\.1\.0 against 1\.0\.0 in staging: errors 0 of 2 events \(0 of 2 events\)/)
      .waitFor();
    const errors = page.getByRole('region', { name: 'Errors', exact: true });
    // Counts that are the figure are not said again below it.
    expect((await errors.innerText()).split('0 of 2 events')).toHaveLength(3);
    await page.getByLabel('Compared with').click();
    await page.getByRole('option', { name: '1.1.0' }).click();
    await page.getByText('Choose two different releases.').waitFor();
    const address = Object.fromEntries(new URL(page.url()).searchParams);
    expect(address).toMatchObject({ release: '1.1.0', base: '1.1.0', environment: 'staging' });
    expect(faults).toEqual([]);
  });

  it('says what is missing: releases, an older release, events of one of them', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    const { page, open, faults } = await visit(service, user);
    await open('/releases/compare');
    await page.getByText('No releases yet').waitFor();
    await expectStatus(202, project.ingest.post('/ingest/events', { ...info('<b>1</b>'), type: 'order' }));
    await service.settled();
    await open('/releases/compare');
    await page.getByText('No older release to compare with.').waitFor();
    await open('/releases/compare?base=%22404%22');
    await page.getByText('No stored events from 404.').waitFor();
    expect(await rowsOf(page, 'New in <b>1</b>')).toHaveLength(1);
    expect(await page.getByRole('region', { name: /^(Got worse|Not seen in)/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
