import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { insertRiskIncident } from '../../server/test/support/risk-incidents.ts';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { createByHand, signUpWithBadRelease } from './support/incidents.ts';
import { assetsOf } from './support/manifest.ts';
import { expectStatus } from './support/seed.ts';

/** Time in which a resolution can be undone. */
const HOLD_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum stops of Tab on the way to a control. */
const MAX_STOPS = 80;
const NOTE = 'The coupons of spring had expired.';

const service = await startTestService();
const { user, project, incidentId } = await signUpWithBadRelease(service);
const { evidence } = (await user.api.get(`/incidents/${incidentId}`)).body;
const earlierId = await insertRiskIncident(service.database.pool, project, {
  fromMs: service.context.clock.now() - 3 * HOUR_MS,
  evidence: { rule: evidence.rule, series: evidence.series },
});
await expectStatus(201, user.api.post(`/incidents/${earlierId}/notes`, { note: NOTE }));
await expectStatus(200, user.api.patch(`/incidents/${earlierId}`, { status: 'resolved' }));

/** A user without a pointer, and the places where this user could not see the focus. */
class Keyboard {
  readonly lost: string[] = [];
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses keys, waits for the result of the last one, and looks where the focus is then. */
  async press(keys: string, result?: Locator, state?: 'detached'): Promise<void> {
    for (const key of keys.split(' ')) await this.page.keyboard.press(key);
    await this.look(`after ${keys}`, result, state);
  }

  /** Waits for a result, and looks where the focus is then. */
  async look(when: string, result?: Locator, state?: 'detached'): Promise<void> {
    await result?.waitFor({ ...(state && { state }) });
    const fault = await this.page.evaluate(findFault);
    if (fault) this.lost.push(`${when}: ${fault}`);
  }

  /** Presses Tab, or Shift+Tab, until a control has the focus. */
  async tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.press(key);
    }
    throw new Error(`${key} does not reach ${String(control)}.`);
  }

  /** Returns a text that the window shows where it is. */
  async read(text: Locator): Promise<string> {
    await text.waitFor();
    const isInSight = await text.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    if (!isInSight) throw new Error(`${String(text)} is out of sight.`);
    return (await text.innerText()).replaceAll(/\s+/g, ' ');
  }

  /** Goes to the only row of the list of open incidents. */
  async focusIncident(): Promise<void> {
    const row = this.page.locator(`[data-incident="${incidentId}"]`);
    await this.press('g i', row);
    // The list as it was read before is shown until it is read again.
    await this.page.locator('[data-incident]').nth(1).waitFor({ state: 'detached' });
    expect(new URL(this.page.url()).pathname).toBe('/app/incidents');
    await this.press('j', row.and(this.page.locator(':focus')));
  }

  /** Goes to the page of the incident, through the list. */
  async openIncident(): Promise<void> {
    await this.focusIncident();
    await this.press('Enter', groupOf(this.page));
  }
}

/** Waits until the page had time to move the focus. Returns where it is if it cannot be seen there. */
async function findFault(): Promise<string | null> {
  const deadlineMs = performance.now() + 1_000;
  while (document.activeElement === document.body && performance.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const element = document.activeElement;
  if (!element || element === document.body) return 'the focus is lost';
  // The content of a page that was just opened is all that is shown.
  if (element.id === 'content') return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const isSeen = isInSight && width > 4 && height > 4 && outlineStyle !== 'none' && outlineWidth !== '0px';
  return isSeen ? null : `the focus is not seen at ${element.outerHTML.slice(0, 200)}`;
}

const head = (page: Page) => page.locator('main header');
const factOf = (page: Page, name: string) => head(page).locator('dl > div').filter({ hasText: name });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const groupOf = (page: Page) => page.getByRole('list', { name: 'Groups' }).getByRole('link').first();
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

const inside = await visit(service, user);

/** Opens the overview for a user who has only a keyboard, in the document of the test before. */
async function visitByKeys() {
  const { page, faults } = inside;
  await inside.go('/');
  await becomesLive(page);
  const keys = new Keyboard(page);
  await keys.press('Tab');
  return { page, keys, faults };
}

it('answers by keys alone which error an incident is, since when, how bad, for whom, why, and who has it', async () => {
  const { page, keys, faults } = await visitByKeys();
  await keys.openIncident();
  expect(await keys.read(groupOf(page))).toMatch(/Card was declined.* 100% · 40 events · 8 users/);
  expect(await keys.read(factOf(page, 'Since'))).toMatch(/^Since \d+ \w+, \d\d:\d\d \(/);
  expect(await keys.read(head(page).locator('strong').first())).toMatch(/^\d+\/min$/);
  expect(await keys.read(region(page, 'Most affected').getByText(/^\d+ users$/))).toBe('8 users');
  expect(await keys.read(factOf(page, 'Release'))).toContain('4.18.1');
  expect(await keys.read(factOf(page, 'Who'))).toBe('Who No one yet');

  const before = page.getByRole('list', { name: 'Previous incidents' }).getByRole('listitem').first();
  await keys.tabTo(before.getByRole('link'));
  expect(await keys.read(before)).toMatch(/resolved by Ada Lovelace.*The coupons of spring had expired\.$/);
  await keys.press('n');
  await page.keyboard.type('Rolled back');
  await keys.press('Control+Enter', region(page, 'Timeline').getByText('Rolled back').first());
  expect(keys.lost).toEqual([]);
  expect(faults).toEqual([]);
});

it('silences an incident for an hour, and tells others of it, by keys alone', async () => {
  const { page, keys, faults } = await visitByKeys();
  await keys.openIncident();
  const dialog = page.getByRole('dialog', { name: 'Silence notifications' });
  await keys.press('s', dialog);
  await keys.press('Escape', dialog, 'detached');
  await keys.press('s', dialog);
  const end = page.getByRole('button', { name: /^End the silence/ });
  await keys.press('Enter', end);
  expect(await keys.read(page.getByText(/^Silenced by Ada Lovelace until/).first())).toMatch(/\d\d:\d\d$/);
  const [silence] = (await user.api.get('/silences')).body;
  const lengthMs = Date.parse(silence.until) - Date.parse(silence.startsAt);
  expect(Math.abs(lengthMs - HOUR_MS)).toBeLessThan(MINUTE_MS);
  await keys.tabTo(end);
  await keys.press('Enter', end, 'detached');

  await keys.tabTo(page.getByRole('button', { name: 'More actions' }));
  // The menu is shown before it has the focus, and keys go to the button until then.
  const menu = page.locator('[role=menu]:focus-within');
  await keys.press('Enter', menu.getByRole('menuitem', { name: 'Copy as Markdown' }));
  await keys.press('End');
  await keys.press('Enter', page.getByRole('status').getByText('Copied as Markdown'));
  expect(await readClipboard(page)).toMatch(/Card was declined[^]*40 events · 8 users/);
  await keys.press('y', page.getByText('Link copied'));
  expect(await readClipboard(page)).toBe(page.url());
  expect(keys.lost).toEqual([]);
  expect(faults).toEqual([]);
});

it('reaches all events of a user, the first event and the release before by keys alone', async () => {
  const { page, keys, faults } = await visitByKeys();
  await keys.openIncident();
  await keys.tabTo(region(page, 'Newest event').getByRole('link', { name: /^user_id/ }));
  const chip = page.getByRole('button', { name: /^Remove filter user_id/ });
  await keys.press('Enter', chip);
  const events = page.getByRole('figure', { name: 'Events over time' }).getByText(/^5 events/);
  expect(await keys.read(events)).toMatch(/^5 events/);
  await keys.press('j Enter', region(page, 'Event'));
  await keys.press('Escape');
  await keys.tabTo(chip, 'Shift+Tab');
  await keys.press('Enter', chip, 'detached');

  await keys.openIncident();
  await keys.tabTo(groupOf(page));
  const oldest = page.getByRole('button', { name: 'Oldest' });
  await keys.press('Enter', oldest);
  await keys.tabTo(oldest);
  await keys.press('Enter', region(page, 'Oldest event'));
  expect(await keys.read(region(page, 'Oldest event').getByText(/^Card was/))).toMatch(/ order 0$/);

  await keys.openIncident();
  await keys.tabTo(head(page).getByRole('link', { name: /^Compare 4\.18\.1/ }));
  await keys.press('Enter', region(page, 'Errors'));
  expect(await keys.read(region(page, 'Errors'))).toMatch(/40 of 40 events, was 0 of 20 events/);
  expect(keys.lost).toEqual([]);
  expect(faults).toEqual([]);
});

it('keeps the focus when a page is left before its keeper is loaded, a button has done its work, and a row leaves', async () => {
  const title = 'Disk is full';
  await createByHand(user, project.id, title);
  const { page, open, faults } = await visit(service, user, { hasClock: true });
  let load = () => {};
  const mayLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  for (const file of await assetsOf(/keep-focus/))
    await page.route(`**${file}`, async (route) => {
      await mayLoad;
      await route.continue();
    });
  await open('/incidents');
  await becomesLive(page);
  const keys = new Keyboard(page);
  await page.getByRole('link', { name: title }).waitFor();
  await keys.press('j');
  await page.keyboard.press('Enter');
  const investigate = page.getByRole('button', { name: 'Investigate' });
  await investigate.waitFor();
  const readFocused = () => page.evaluate(() => document.activeElement?.id);
  expect(await readFocused()).toBe('');
  load();
  await expect.poll(readFocused).toBe('content');
  await keys.tabTo(investigate);
  await keys.press('Enter', page.getByText('Ada Lovelace is on it', { exact: true }));
  await investigate.waitFor({ state: 'detached' });

  await keys.focusIncident();
  const row = page.locator(`[data-incident="${incidentId}"]`);
  await keys.press('r', page.getByRole('button', { name: 'Undo' }).first());
  await page.clock.fastForward(HOLD_MS);
  await keys.look('after the row is gone', row, 'detached');
  expect(keys.lost).toEqual([]);
  expect(faults).toEqual([]);
});
