import { describe, expect, it } from 'vitest';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { anError, rowOf, visitGroups } from './support/groups.ts';
import { expectStatus } from './support/seed.ts';

/** Time in which a change can be undone. */
const HOLD_MS = 5_000;

const service = await startTestService();
const { page, user, faults, go, projectWith } = await visitGroups(service, 6, { hasClock: true });

describe('the page of a group', async () => {
  /** Sends an error with a stack trace that occurs in two releases and regressed after a resolution. */
  async function sendRegressed() {
    const frames = [
      { function: 'computeLineTotal', file: 'src/cart.ts', line: 41, column: 27, inApplication: true },
      { function: 'next', file: 'node_modules/express/route.js', line: 1, column: 1, inApplication: false },
    ];
    const event = (release: string, number: number) =>
      anError(`Order ${number} has no price`, {
        release,
        correlation: { user_id: `usr_${number}` },
        payload: { frames, cart: { id: number } },
      });
    const ago = (minutes: number) => ({
      capturedAt: new Date(service.context.clock.now() - minutes * 60_000).toISOString(),
    });
    const { send, idOf, showGroup } = await projectWith([
      { ...event('4.17.0', 1), ...ago(9) },
      { ...event('4.17.0', 2), ...ago(5) },
    ]);
    const id = await idOf('no price');
    await expectStatus(200, user.api.patch(`/groups/${id}`, { state: 'resolved', resolvedIn: 'current' }));
    await send([event('4.18.1', 3)]);
    return { id, send, show: () => showGroup(id) };
  }
  /** A group that is only read. */
  const read = await sendRegressed();

  /** Opens the page of a regressed group. */
  async function openRegressed(regressed = read) {
    await regressed.show();
    await page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    return regressed;
  }

  it('leads from a regression to the comparison of its release with the one of the resolution', async () => {
    await openRegressed();
    await page.getByRole('paragraph').filter({ hasText: 'Regressed in' }).getByRole('link').click();
    await page.getByText(/^4\.18\.1 against 4\.17\.0: errors 1 of 1 event /).waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps the buttons that page through its events in one row on a phone', async () => {
    await openRegressed();
    await page.setViewportSize({ width: 360, height: 800 });
    await page
      .getByRole('region', { name: /event$/i })
      .getByText('Order 3 has no price')
      .waitFor();
    const tops = ['Oldest', 'Older', 'Newer', 'Newest'].map(async (name) => {
      const box = await page.getByRole('button', { name: new RegExp(`^${name}`) }).boundingBox();
      return box?.y;
    });
    const [first, ...others] = await Promise.all(tops);
    expect(first).toBeGreaterThan(0);
    expect(others).toEqual([first, first, first]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('lists all releases of a group on demand, each with a link to all of its events', async () => {
    const dayMs = 24 * 60 * 60_000;
    const capturedAt = new Date(service.context.clock.now() - 6 * dayMs).toISOString();
    const { idOf, showGroup } = await projectWith(
      Array.from({ length: 10 }, (_, index) => anError('No price', { release: `1.0.${index}`, capturedAt })),
    );
    await showGroup(await idOf('price'));
    const releases = page.getByRole('region', { name: 'Releases' });
    await expect.poll(() => releases.getByRole('listitem').count()).toBe(8);
    await releases.getByRole('button', { name: 'and 2 more' }).click();
    await expect.poll(() => releases.getByRole('listitem').count()).toBe(10);
    await releases.getByRole('link', { name: '1.0.3' }).click();
    await page.getByRole('button', { name: 'Remove filter release: 1.0.3' }).waitFor();
    await page.getByText('1 event', { exact: true }).first().waitFor();
    const from = new URL(page.url()).searchParams.get('from') ?? '';
    expect(Date.parse(from)).toBe(Date.parse(capturedAt) - 1);
  });

  it('shows the title of a group, its first release, the affected users, and that it regressed', async () => {
    await openRegressed();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Order \d has no price$/);
    await page.getByText(/^Regressed in 4\.18\.1 after it was resolved in 4\.17\.0 by /).waitFor();
    const fact = (name: string) =>
      page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::*');
    await page.getByText('3 events · 3 users', { exact: true }).waitFor();
    expect(await fact('First seen').innerText()).toContain('4.17.0');
    expect(await fact('Last seen').innerText()).toContain('4.18.1');
    const releases = page.getByRole('region', { name: 'Releases' }).getByRole('listitem');
    await expect
      .poll(async () => (await releases.allInnerTexts()).map((text) => text.split(/\s/)[0]))
      .toEqual(['4.18.1', '4.17.0']);
    await page
      .getByRole('region', { name: 'Most affected' })
      .getByText('3 users', { exact: true })
      .first()
      .waitFor();
    const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await history.filter({ hasText: 'resolved it in 4.17.0' }).waitFor();
    await history.filter({ hasText: 'Regressed in 4.18.1' }).waitFor();
    const chart = page.getByRole('figure', { name: 'Events, last 24 hours' });
    await chart.getByRole('button', { name: 'Table' }).click();
    await expect.poll(() => chart.getByRole('row').count()).toBe(25);
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.getByRole('figure', { name: 'Events, last hour' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the newest event of a group with its stack, and steps to the oldest and back', async () => {
    await openRegressed();
    const event = page.getByRole('region', { name: /event$/i });
    await event.getByText('Order 3 has no price').waitFor();
    await event.getByText('computeLineTotal').waitFor();
    await page.keyboard.press('e');
    await event.getByText('Order 2 has no price').waitFor();
    await page.getByRole('button', { name: 'Oldest' }).click();
    await event.getByText('Order 1 has no price').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.keyboard.press('Shift+E');
    await event.getByText('Order 2 has no price').waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await event.getByText('Order 3 has no price').waitFor();
    const all = await page.getByRole('link', { name: 'All events' }).getAttribute('href');
    expect(new URL(all ?? '', page.url()).searchParams.get('group_id')).toMatch(/^grp_/);
  });

  it('resolves a group with r and undoes that with z, before anything is sent', async () => {
    const { id } = await openRegressed(await sendRegressed());
    await page.keyboard.press('r');
    await page.getByRole('main').getByRole('status').getByText('Resolved').waitFor();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('main').getByRole('status').getByText('Resolved').waitFor();
    await page.clock.fastForward(HOLD_MS);
    await expect.poll(async () => (await user.api.get(`/groups/${id}`)).body.state).toBe('resolved');
    const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await expect.poll(() => history.count()).toBe(3);
    const { body } = await user.api.get(`/groups/${id}/history`);
    expect(body).toHaveLength(3);
  });

  it('mutes and assigns a group by the menus of m and a', async () => {
    const { id } = await openRegressed(await sendRegressed());
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Until more events arrive…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Events').fill('2.5');
    await dialog.getByLabel('Within (minutes)').fill('1.5');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.getByText('Enter a whole number from 1 to 1,000,000,000.').waitFor();
    await dialog.getByText('Enter a whole number from 1 to 1,440.').waitFor();
    await dialog.getByLabel('Events').fill('250');
    await dialog.getByLabel('Within (minutes)').fill('30');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.clock.fastForward(HOLD_MS);
    await expect
      .poll(async () => (await user.api.get(`/groups/${id}`)).body)
      .toMatchObject({ state: 'muted', muteForCount: 250, mutePeriodSeconds: 1_800 });
    await page.getByText('muted until 250 events in 30 min', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('menuitemcheckbox', { name: /you$/ }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.clock.fastForward(HOLD_MS);
    await expect.poll(async () => (await user.api.get(`/groups/${id}`)).body.assigneeId).toBe(user.id);
    await page.getByRole('list', { name: 'History' }).getByText('took it').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Until tomorrow, 9:00' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.clock.fastForward(HOLD_MS);
    const untilOf = async () => (await user.api.get(`/groups/${id}`)).body.muteUntil;
    await expect.poll(untilOf).not.toBeNull();
    const until = await page.evaluate((time) => new Date(time).getHours(), await untilOf());
    expect(until).toBe(9);
  });

  it('copies the link of a group by y and the group as Markdown, and returns to the list by u', async () => {
    const { page, open } = await visit(service, user);
    await open(`/groups/${read.id}`);
    await page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toMatch(/\/app\/groups\/SHOP-1$/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect
      .poll(copied)
      .toMatch(/^### SHOP-1: Order \d has no price\n[^]*\*\*error\*\* · open · Shop · 3 events/);
    await page.keyboard.press('u');
    await rowOf(page, 'SHOP-1').waitFor();
  });

  it('opens a group by its key, also by one with a former prefix of its project', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject('Shop');
    await expectStatus(202, ingest.post('/ingest/bulk', [anError('Order 1 has no price')]));
    await service.settled();
    const { page, open, go } = await visit(service, user);
    await open('/groups/shop-1');
    await page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    const [project] = (await user.api.get('/projects')).body;
    await expectStatus(200, user.api.patch(`/projects/${project.id}`, { groupPrefix: 'till' }));
    await open('/groups/SHOP-1');
    await page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/app\/groups\/TILL-1$/);
    await go('/groups/SHOP-99');
    await page.getByText('No group has the key SHOP-99.').waitFor();
  });

  it('updates the page of a group with new events by itself', async () => {
    const { send } = await openRegressed(await sendRegressed());
    await becomesLive(page);
    await send([anError('Order 9 has no price', { release: '4.18.1' })]);
    await page.getByText(/^4 events · /).waitFor();
  });

  it('shows merged groups with the counts of their environments, and separates them again', async () => {
    const { idOf, showGroup } = await projectWith([
      anError('The one', { environment: 'staging' }),
      anError('The other'),
    ]);
    const [one, other] = [await idOf('The one'), await idOf('The other')];
    await expectStatus(200, user.api.post(`/groups/${one}/merge`, { ids: [other] }));
    await showGroup(one);
    const merged = page.getByRole('region', { name: 'Merged groups' });
    await merged.getByText('The other').waitFor();
    await page.getByRole('link', { name: 'production 1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'staging 1', exact: true }).waitFor();
    await merged.getByRole('button', { name: /^Separate/ }).click();
    await expect.poll(() => merged.count()).toBe(0);
    await page.getByRole('link', { name: 'staging', exact: true }).waitFor();
    await page.getByRole('list', { name: 'History' }).getByText('separated 1 group from it').waitFor();
  });

  it('reports a group that does not exist', async () => {
    await go('/groups/grp_nobody');
    await page.getByText('Group not found').waitFor();
  });
});
