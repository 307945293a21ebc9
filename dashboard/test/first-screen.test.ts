import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../server/test/support/wait.ts';
import type { IncidentDetail } from '../src/lib/api-types.ts';
import { startTestService, visit } from './support/browser.ts';
import * as words from './support/expected-numbers.ts';
import { addShiftRecorder } from './support/find-shifts.ts';
import { expectOnFirstScreen, HOSTILE, PHONE } from './support/first-screen.ts';
import { expectStatus } from './support/seed.ts';

const MINUTE_MS = 60_000;
const service = await startTestService();

/** Shows an incident of critical events on a phone. */
async function openIncident({
  message,
  release,
  count,
}: {
  message: string;
  release: string;
  count: number;
}) {
  const user = await service.signUp();
  const project = await user.createProject('Storefront with a name that is longer than a phone is wide');
  const at = new Date(service.context.clock.now() - 3 * MINUTE_MS - 30_000).toISOString();
  await expectStatus(202, project.ingest.post('/ingest/deploys', { release, at }));
  const frames = ['computeLineTotal', 'priceCart', 'checkout', 'serve'].map((name, index) => ({
    function: name,
    file: `src/features/checkout/pricing/lines/${name}.ts`,
    line: index + 1,
    column: 1,
    inApplication: true,
  }));
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'checkout',
    severity: 'CRITICAL',
    message,
    source: 'checkout',
    release,
    correlation: { user_id: `usr_${index}`, order_id: `ord_${index}` },
    payload: { frames },
  }));
  await expectStatus(202, project.ingest.post('/ingest/bulk', events));
  await service.settled();
  const [{ id }] = (await user.api.get('/incidents')).body;
  // A context of its own, since the recorder stays in it.
  const visited = await visit(service, user, { viewport: PHONE, locale: 'en-GB' });
  await addShiftRecorder(visited.context, service.context.clock.now());
  const read = async () => (await user.api.get(`/incidents/${id}`)).body as IncidentDetail;
  await waitFor('the count of its events', async () => (await read()).eventCount === count);
  await visited.open(`/incidents/${id}`);
  const newest = visited.page.getByRole('region', { name: 'Newest event', exact: true });
  await newest.getByText(/^computeLineTotal/).waitFor();
  return { ...visited, user, id, read };
}

/** Returns the facts under their names. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const pairs = await page
    .locator('main header dl > div')
    .evaluateAll((facts) =>
      facts.map((fact) => [
        fact.querySelector<HTMLElement>('dt > span, dt:not(:has(span))')?.innerText ?? '',
        fact.querySelector('dd')?.innerText ?? '',
      ]),
    );
  return Object.fromEntries(pairs);
}

describe.each([
  { name: 'an ordinary error', message: 'Cannot read properties of undefined', release: '4.18.2', count: 12 },
  {
    name: 'hostile texts and a thousand users',
    message: HOSTILE,
    release: `web@4.18.2-rc.1+build.${'f'.repeat(40)}`,
    count: 1_200,
  },
])('the first screen of an incident on a phone, with $name', (life) => {
  let shown: Awaited<ReturnType<typeof openIncident>>;
  beforeAll(async () => {
    shown = await openIncident(life);
  });

  it('holds title, rate, since, users, release, owner, two buttons and the newest event', async () => {
    const { page, faults } = shown;
    await expectOnFirstScreen(page, {
      facts: ['Since', 'Who', 'Affected', 'Events', 'Release'],
      buttons: ['Investigate', 'Resolve', 'More actions'],
      first: page.getByRole('region', { name: 'Newest event', exact: true }).locator('p').first(),
    });
    expect(faults).toEqual([]);
  });

  it('shows the numbers of the API, also in the sentence for screen readers', async () => {
    const { page, read } = shown;
    const incident = await read();
    const { facts, release, eventCount, since } = incident;
    const shownFacts = await factsOf(page);
    expect(shownFacts).toMatchObject({
      Since: expect.stringContaining(words.timeOfDay(Date.parse(since))),
      Who: 'No one yet',
      Affected: expect.stringContaining(`${facts?.users.count.toLocaleString('en')} users`),
      Events: eventCount.toLocaleString('en'),
      Release: expect.stringContaining(life.release),
    });
    expect(facts?.users.count).toBe(life.count);
    const figure = await page.locator('main header p strong').innerText();
    const sentence = await page.locator('main header p.sr-only').innerText();
    for (const part of [
      /^Critical, open, no one yet: /,
      figure.replace('/min', ' a minute'),
      words.timeOfDay(Date.parse(since)),
      `${facts?.users.count.toLocaleString('en')} users`,
      ...(release ? [release.version] : []),
    ])
      expect(sentence).toMatch(part);
  });

  it('reaches the whole title', async () => {
    const { page, read } = shown;
    const { title } = await read();
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.textContent()).toBe(title);
    const all = page.getByRole('button', { name: 'Show all' });
    expect(await all.count()).toBe(title.length > 100 ? 1 : 0);
    if (title.length > 100) await all.click();
    const hidden = await heading.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(hidden).toBeLessThanOrEqual(1);
  });
});
