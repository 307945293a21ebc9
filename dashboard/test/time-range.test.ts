import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { messages } from './support/events.ts';

const service = await startTestService();
const user = await service.signUp();
const { ingest } = await user.createProject('Storefront');
const HOUR_MS = 3_600_000;
// In whole minutes, so that an event is right at the start of a range.
const startMs = Math.floor(service.context.clock.now() / 60_000) * 60_000 - 30 * HOUR_MS;
await ingest.post(
  '/ingest/bulk',
  [0, 1, 2].map((hour) => ({
    type: 'checkout',
    severity: 'INFO',
    message: `Hour ${hour}`,
    capturedAt: new Date(startMs + hour * HOUR_MS).toISOString(),
  })),
);
await service.settled();
/** The document of all tests of this user. */
const { page, go, faults } = await visit(service, user);

const picker = (page: Page) => page.getByRole('button', { name: /^Time range: / });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Time range' });
const parameters = (page: Page) => new URL(page.url()).searchParams;
const iso = (hour: number) => new Date(startMs + hour * HOUR_MS).toISOString();

describe('the range of time', () => {
  it('names below the top bar the events that a project keeps for less time than the range', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Shop');
    const { id: other } = await owner.createProject('Depot');
    expect((await owner.api.patch(`/projects/${id}`, { retention: { info: 7, error: 60 } })).status).toBe(
      200,
    );
    const staging = (await owner.api.post('/projects', { name: 'Shop', environment: 'staging' })).body.id;
    expect((await owner.api.patch(`/projects/${staging}`, { retention: { info: 20 } })).status).toBe(200);
    const { page, go } = await visit(service, owner);
    const note = page.getByText('Charts still include older ones.');
    for (const [address, said] of [
      [
        '/events?range=30d',
        [
          'Shop · staging keeps info events for 20 days. Shop keeps info events for 7 days. Charts still include older ones.',
        ],
      ],
      [
        `/events?range=30d&project=${id}`,
        ['Shop keeps info events for 7 days. Charts still include older ones.'],
      ],
      [`/events?range=30d&project=${other}`, []],
      ['/events?range=24h', []],
    ] as const) {
      await go(address);
      await picker(page).waitFor();
      await expect.poll(() => note.allInnerTexts(), { message: address }).toEqual(said);
    }
  });

  it('accepts two typed or pasted times, explains invalid ones, and shows the range in full', async () => {
    await go('/events');
    await picker(page).waitFor();
    await page.keyboard.press('t');
    const from = panel(page).getByLabel('From');
    await from.fill('soon');
    await panel(page).getByRole('button', { name: 'Apply' }).click();
    await panel(page).getByText('Enter a time, such as').waitFor();
    await from.fill(iso(2));
    await panel(page).getByLabel('To', { exact: true }).fill(iso(1));
    await panel(page).getByRole('button', { name: 'Apply' }).click();
    await panel(page).getByText('Enter a time after the start.').waitFor();

    await from.focus();
    await from.selectText();
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${iso(0)}/${iso(1)}`);
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Enter');
    await panel(page).waitFor({ state: 'detached' });
    // An event at the start belongs to the range, one at its end to the next.
    await expect.poll(() => messages(page)).toEqual(['Hour 0']);
    expect([parameters(page).get('from'), parameters(page).get('to')]).toEqual([iso(0), iso(1)]);
    expect(await picker(page).innerText()).toMatch(/^\d{1,2} \w+, \d\d:\d\d – (\d{1,2} \w+, )?\d\d:\d\d$/);
    expect(faults).toEqual([]);
  });

  it('moves the time range with keys, zooms out, and goes back with the browser', async () => {
    await go(`/events?from=${iso(1)}&to=${iso(2)}`);
    await expect.poll(() => messages(page)).toEqual(['Hour 1']);
    await page.keyboard.press(']');
    await expect.poll(() => messages(page)).toEqual(['Hour 2']);
    await page.keyboard.press('[');
    await expect.poll(() => messages(page)).toEqual(['Hour 1']);
    await picker(page).click();
    await panel(page).getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => messages(page)).toEqual(['Hour 2', 'Hour 1']);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Hour 1']);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Hour 2']);
  });

  it('offers usual ranges and whole days, and closes with Escape', async () => {
    await go('/');
    await picker(page).click();
    await panel(page).getByRole('button', { name: 'Yesterday' }).click();
    await panel(page).waitFor({ state: 'detached' });
    const days =
      Date.parse(parameters(page).get('to') ?? '') - Date.parse(parameters(page).get('from') ?? '');
    // A day of a time change has 23 or 25 hours.
    expect(Math.round(days / (24 * HOUR_MS))).toBe(1);
    await picker(page).click();
    await panel(page).getByRole('button', { name: 'Last 7 days' }).click();
    await expect.poll(() => parameters(page).get('range')).toBe('7d');
    expect(parameters(page).get('from')).toBeNull();
    await picker(page).click();
    await panel(page).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await picker(page).and(page.locator(':focus')).waitFor();
  });

  it('hides project and range behind one button on a narrow screen, and on pages without a range', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await go('/events');
    await page.getByRole('button', { name: 'Project and time range: All projects · 24 h' }).click();
    const sheet = page.getByRole('dialog', { name: 'Project and time range' });
    await sheet.getByRole('button', { name: 'Last hour' }).click();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => parameters(page).get('range')).toBe('1h');
    await go('/incidents');
    await page.getByRole('button', { name: 'Project: All projects' }).waitFor();
    await go('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Project/ }).count()).toBe(0);
  });
});
