import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();

type Sent = Record<string, unknown>;
const anError = (message: string, more: Sent = {}): Sent => ({
  type: 'checkout',
  severity: 'ERROR',
  source: 'shop',
  message,
  ...more,
});

/** A user with a project whose events were stored. */
async function signUpWith(events: Sent[], name = 'Shop') {
  const user = await service.signUp();
  const project = await user.createProject(name);
  const send = async (more: Sent[]) => {
    await expectStatus(202, project.ingest.post('/ingest/bulk', more));
    await service.settled();
  };
  await send(events);
  return { user, project, send };
}

/** The id of the group whose title holds a text. */
async function groupOf(user: TestUser, text: string): Promise<string> {
  const { body } = await user.api.get('/groups');
  return String(body.find(({ title }: { title: string }) => title.includes(text)).id);
}

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Groups', exact: true }).getByRole('listitem');
const rowOf = (page: Page, text: string) => rowsOf(page).filter({ hasText: text });
const titlesOf = (page: Page) => rowsOf(page).getByRole('link').allInnerTexts();

describe('the list of groups', () => {
  it('shows a group with its key, frame, events, users, releases, marks and assignee', async () => {
    const at = (hoursAgo: number) =>
      new Date(service.context.clock.now() - hoursAgo * 3_600_000).toISOString();
    const frames = [{ function: 'pay', file: 'src/pay.ts', line: 4, column: 2, inApplication: true }];
    const event = (user: string, release: string, hoursAgo: number) =>
      anError('Order 17 was refused', {
        correlation: { user_id: user },
        release,
        capturedAt: at(hoursAgo),
        payload: { frames },
      });
    const { user } = await signUpWith([
      event('a', '1.0.0', 30),
      event('b', '1.1.0', 1),
      event('b', '1.1.0', 0),
      anError('The basket is empty'),
    ]);
    await user.api.patch(`/groups/${await groupOf(user, 'refused')}`, { assigneeId: user.id });
    const { page, open, faults } = await visit(service, user, { viewport: { width: 1440, height: 900 } });
    await open('/groups');
    const row = rowOf(page, 'was refused');
    await row.waitFor();
    await row.getByText(/^SHOP-\d$/).waitFor();
    await row.getByText('pay in src/pay.ts').waitFor();
    await row.getByText('1.0.0 – 1.1.0').waitFor();
    await row.getByText('2 in the last 24 hours').waitFor();
    expect((await row.innerText()).split(/\s+/)).toEqual(expect.arrayContaining(['3', '2']));
    expect(await row.getByText('new', { exact: true }).count()).toBe(0);
    await rowOf(page, 'basket').getByText('new', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('begins with warnings and worse that are open, and keeps each choice in the address', async () => {
    const { user } = await signUpWith([
      anError('It failed'),
      anError('It may fail', { severity: 'WARN' }),
      anError('It went well', { severity: 'INFO' }),
      anError('It failed before'),
    ]);
    await user.api.patch(`/groups/${await groupOf(user, 'before')}`, { state: 'resolved' });
    const { page, open } = await visit(service, user);
    await open('/groups');
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('Severity', 'All severities');
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.getByRole('link', { name: 'Resolved' }).click();
    await rowOf(page, 'failed before').getByText('resolved').waitFor();
    expect(new URL(page.url()).search).toMatch(/severity=all.*state=resolved|state=resolved.*severity=all/);
    await page.goBack();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await choose('Severity', 'Critical');
    await page.getByText('No matching groups').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
  });

  it('finds groups by words, key, release, mark and assignee', async () => {
    const { user } = await signUpWith([
      anError('The card was refused', { release: '2.0.0' }),
      anError('The basket is empty'),
    ]);
    const { body } = await user.api.get('/groups?q=basket');
    const { page, open } = await visit(service, user);
    await open(`/groups?q=${body[0].key}`);
    await rowOf(page, 'basket').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('CARD ref');
    await rowOf(page, 'refused').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await open('/groups');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Release').fill('2.0.0');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Remove filter release: 2.0.0' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Regressed' }).click();
    await page.getByText('No matching groups').waitFor();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await open('/groups?assignee=me');
    await page.getByText('No matching groups').waitFor();
  });

  it('finds a group of any state by its key, and opens it with Enter', async () => {
    const { user } = await signUpWith([anError('It failed before'), anError('It fails')]);
    await user.api.patch(`/groups/${await groupOf(user, 'before')}`, { state: 'resolved' });
    const { key } = (await user.api.get('/groups?state=resolved')).body[0];
    const { page, open } = await visit(service, user);
    await open('/groups');
    await rowOf(page, 'It fails').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search groups' });
    await search.fill(key.toLowerCase());
    const found = page.getByRole('list', { name: 'Groups with this key' }).getByRole('link');
    await expect.poll(() => found.allInnerTexts()).toEqual([`${key}\nIt failed before\nresolved`]);
    await search.press('Enter');
    await page.waitForURL(new RegExp(`/groups/${key}`));
    await page.getByRole('heading', { level: 1, name: 'It failed before' }).waitFor();
  });

  it('shows below the groups of a search their events that match', async () => {
    const frames = [{ function: 'refuse', file: 'src/till.ts', line: 4, column: 2, inApplication: true }];
    const { user } = await signUpWith([
      anError('Card 17 was refused'),
      anError('Card 18 was refused'),
      anError('The till is jammed', { payload: { frames } }),
      anError('The basket is empty'),
    ]);
    const { page, open, faults } = await visit(service, user);
    await open('/groups');
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('refuse');
    const events = page.getByRole('list', { name: 'Newest events of these groups' }).getByRole('link');
    for (const message of ['Card 18 was refused', 'Card 17 was refused', 'The till is jammed'])
      await events.filter({ hasText: message }).waitFor();
    expect(await events.count()).toBe(3);
    await page.getByRole('link', { name: 'All events with “refuse”' }).click();
    await page.getByRole('grid', { name: 'Events' }).getByText('Card 17 was refused').waitFor();
    await page.goBack();
    await events.filter({ hasText: 'Card 17' }).click();
    await page
      .getByRole('region', { name: 'Event', exact: true })
      .getByText('Card 17 was refused')
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('says how far a search looked that ended early, and looks further', async () => {
    const { user } = await signUpWith([anError('It failed')]);
    const { page, open } = await visit(service, user);
    let found = false;
    await page.route(/:\d+\/groups\?/, async (route) => {
      const address = new URL(route.request().url());
      if (!address.searchParams.has('q')) return route.continue();
      const hasCursor = address.searchParams.has('cursor');
      if (hasCursor && found) return route.fulfill({ json: (await user.api.get('/groups')).body });
      found = hasCursor;
      address.searchParams.set('cursor', '1');
      const headers = { 'scanned-groups': '20000', link: `<${address.href}>; rel="next"` };
      return route.fulfill({ json: [], headers });
    });
    await open('/groups?q=failed');
    await page.getByText('No match among the first 20,000 groups or so.').waitFor();
    expect(await page.getByText('No matching groups').count()).toBe(0);
    await page.getByRole('button', { name: 'Look further' }).click();
    await page.getByText('No match among the first 40,000 groups or so.').waitFor();
    await page.getByRole('button', { name: 'Look further' }).click();
    await rowOf(page, 'It failed').waitFor();
    await page.getByRole('button', { name: 'Look further' }).waitFor({ state: 'detached' });
  });

  it('sorts by the heads of its columns', async () => {
    const events = (message: string, count: number) => Array.from({ length: count }, () => anError(message));
    const { user } = await signUpWith([
      ...events('Often', 5),
      ...events('Sometimes', 3),
      ...events('Once', 1),
    ]);
    const { page, open } = await visit(service, user);
    await open('/groups?sort=first_seen');
    await rowsOf(page).nth(2).waitFor();
    await page.getByRole('button', { name: 'Events' }).click();
    await expect.poll(() => titlesOf(page)).toEqual(['Often', 'Sometimes', 'Once']);
    expect(page.url()).toContain('sort=count');
  });

  it('moves with j and k, selects with x, clears with Escape, and Enter opens', async () => {
    const { user } = await signUpWith(['First', 'Second', 'Third'].map((message) => anError(message)));
    const { page, open } = await visit(service, user);
    await open('/groups');
    await rowsOf(page).nth(2).waitFor();
    const [, second = ''] = await titlesOf(page);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    expect(await page.locator(':focus').innerText()).toBe(second);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const boxes = page.getByRole('checkbox');
    const checked = async () =>
      (await Promise.all((await boxes.all()).map((box) => box.isChecked()))).filter(Boolean).length;
    await expect.poll(checked).toBe(2);
    await page.keyboard.press('Escape');
    await expect.poll(checked).toBe(0);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/groups/grp_*');
  });

  it('changes the focused group by r, m and a while none is selected, and e shows its events', async () => {
    const { user } = await signUpWith(['First', 'Second', 'Third'].map((message) => anError(message)));
    const { page, open, faults } = await visit(service, user);
    const find = async (title: string) =>
      (await user.api.get('/groups')).body.find((group: { title: string }) => group.title === title);
    await open('/groups');
    await rowsOf(page).nth(2).waitFor();
    const [first = '', second = '', third = ''] = await titlesOf(page);
    const focused = () => page.locator(':focus').innerText();
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

    await press('j', 'm');
    await page.getByRole('menuitem', { name: 'For ever' }).waitFor();
    await press('Escape');
    await expect.poll(focused).toBe(first);
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await press('m');
    await page.getByRole('menuitem', { name: 'For ever' }).click();
    await page.getByRole('toolbar').getByText('Muted').waitFor();
    // The next change sends it, and the row leaves the list of open groups.
    await press('j');
    await expect.poll(focused).toBe(second);
    await press('a');
    await page.getByRole('menuitemcheckbox', { name: /you$/ }).click();
    await expect.poll(async () => (await find(first)).state).toBe('muted');
    await expect.poll(() => titlesOf(page)).toEqual([second, third]);
    await expect.poll(focused).toBe(second);
    await press('r');
    await expect.poll(async () => (await find(second)).assigneeId).toBe(user.id);
    await expect.poll(async () => (await find(second)).state).toBe('resolved');
    await expect.poll(focused).toBe(third);
    await press('?');
    await page.getByRole('dialog').getByText('Resolve the group').waitFor();
    await press('Escape', 'j', 'e');
    await page.waitForURL(/\/app\/events/);
    expect(new URL(page.url()).searchParams.get('group_id')).toBe((await find(third)).id);
    expect(faults).toEqual([]);
  });

  it('loads more where there are more than a page holds', async () => {
    const words = Array.from({ length: 60 }, (_, index) =>
      String.fromCharCode(97 + (index % 26), 97 + index / 26),
    );
    const { user } = await signUpWith(words.map((word) => anError(`Broken ${word}`)));
    const { page, open } = await visit(service, user);
    await open('/groups');
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(60);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('says what will be here where nothing was ever sent, and how to get it', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    await open('/groups');
    await page.getByText('No groups yet').waitFor();
    expect(await page.getByRole('link', { name: 'Create project' }).getAttribute('href')).toContain(
      '/projects/new',
    );
  });

  it('offers all severities where there are only routine events', async () => {
    const { user } = await signUpWith([anError('Order was paid', { severity: 'INFO' })]);
    const { page, open } = await visit(service, user);
    await open('/groups');
    await page.getByText('Nothing open').waitFor();
    await page.getByRole('button', { name: 'Show all severities' }).click();
    await rowOf(page, 'Order was paid').waitFor();
  });

  it('shows new groups by itself, and moves no row under the pointer', async () => {
    const { user, send } = await signUpWith([anError('The first one')]);
    const { page, open, faults } = await visit(service, user);
    await open('/groups');
    await rowOf(page, 'The first one').waitFor();
    await page.mouse.move(5, 5);
    await send([anError('Another kind')]);
    await rowOf(page, 'Another kind').waitFor();
    await rowOf(page, 'The first one').hover();
    await send([anError('A third kind'), anError('The first one')]);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await expect.poll(() => titlesOf(page)).toEqual(['Another kind', 'The first one']);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    expect(faults).toEqual([]);
  });
});

describe('the page of a group', () => {
  /** An error of three releases that people resolved and that came back, with a stack trace. */
  async function openRegressed() {
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
    const { user, send } = await signUpWith([
      { ...event('4.17.0', 1), ...ago(9) },
      { ...event('4.17.0', 2), ...ago(5) },
    ]);
    const id = await groupOf(user, 'no price');
    await expectStatus(200, user.api.patch(`/groups/${id}`, { state: 'resolved', resolvedIn: 'current' }));
    await send([event('4.18.1', 3)]);
    const visited = await visit(service, user);
    await visited.open(`/groups/${id}`);
    await visited.page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    return { user, id, send, ...visited };
  }

  it('says what it is, since which release, whom it hits, and that it came back after a resolution', async () => {
    const { page, faults } = await openRegressed();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Order \d has no price$/);
    await page.getByText(/^Regressed in 4\.18\.1: was resolved in 4\.17\.0 by /).waitFor();
    const fact = (name: string) =>
      page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::*');
    expect(await fact('Events').innerText()).toBe('3');
    expect(await fact('Users').innerText()).toBe('3');
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

  it('shows the newest event with its stack, and walks to the oldest and back', async () => {
    const { page } = await openRegressed();
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

  it('resolves with r and takes that back with z, before anything is sent', async () => {
    const { page, user, id } = await openRegressed();
    await page.keyboard.press('r');
    await page.getByRole('status').getByText('Resolved').waitFor();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(async () => (await user.api.get(`/groups/${id}`)).body.state).toBe('resolved');
    const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await expect.poll(() => history.count()).toBe(3);
    const { body } = await user.api.get(`/groups/${id}/history`);
    expect(body).toHaveLength(3);
  });

  it('mutes and assigns by the menus of m and a', async () => {
    const { page, user, id } = await openRegressed();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Until events come again…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Events').fill('none');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.getByText('Enter a whole number of events, at least 1.').waitFor();
    await dialog.getByLabel('Events').fill('250');
    await dialog.getByLabel('Within minutes').fill('30');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await expect
      .poll(async () => (await user.api.get(`/groups/${id}`)).body)
      .toMatchObject({ state: 'muted', muteForCount: 250, mutePeriodSeconds: 1_800 });
    await page.getByText('muted until 250 events in 30 min').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('menuitemcheckbox', { name: /you$/ }).click();
    await expect.poll(async () => (await user.api.get(`/groups/${id}`)).body.assigneeId).toBe(user.id);
    await page.getByRole('list', { name: 'History' }).getByText('took it').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Until tomorrow, 9:00' }).click();
    const untilOf = async () => (await user.api.get(`/groups/${id}`)).body.muteUntil;
    await expect.poll(untilOf).not.toBeNull();
    const until = await page.evaluate((time) => new Date(time).getHours(), await untilOf());
    expect(until).toBe(9);
  });

  it('copies its link by y and itself as Markdown, and u leads back to the list', async () => {
    const { page } = await openRegressed();
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toMatch(/\/app\/groups\/SHOP-1$/);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect
      .poll(copied)
      .toMatch(/^### SHOP-1: Order \d has no price\n[^]*\*\*error\*\* · open · Shop · 3 events/);
    await page.keyboard.press('u');
    await rowOf(page, 'no price').waitFor();
  });

  it('opens by its key, and asks which group is meant where several projects have the key', async () => {
    const { user, page, open } = await openRegressed();
    await open('/groups/shop-1');
    await page.getByRole('heading', { level: 1, name: /has no price/ }).waitFor();
    const staging = await user.createProject('Shop');
    await expectStatus(202, staging.ingest.post('/ingest/events', anError('The till is jammed')));
    await service.settled();
    await open('/groups/SHOP-1');
    await page.getByText('Several projects have a group SHOP-1.').waitFor();
    await page.getByRole('link', { name: 'The till is jammed' }).click();
    await page.getByRole('heading', { level: 1, name: 'The till is jammed' }).waitFor();
    // Its address has to be that of this group alone.
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/app\/groups\/grp_\w+$/);
    await open('/groups/SHOP-99');
    await page.getByText('No group has the key SHOP-99. Its project may have been renamed.').waitFor();
  });

  it('follows new events by itself', async () => {
    const { page, send } = await openRegressed();
    await send([anError('Order 9 has no price', { release: '4.18.1' })]);
    const events = page.getByRole('term').filter({ hasText: 'Events' }).locator('xpath=following-sibling::*');
    await expect.poll(() => events.innerText()).toBe('4');
  });

  it('shows merged groups, and separates them again', async () => {
    const { user } = await signUpWith([anError('The one'), anError('The other')]);
    const [one, other] = [await groupOf(user, 'The one'), await groupOf(user, 'The other')];
    await expectStatus(200, user.api.post(`/groups/${one}/merge`, { ids: [other] }));
    const { page, open } = await visit(service, user);
    await open(`/groups/${one}`);
    const merged = page.getByRole('region', { name: 'Merged groups' });
    await merged.getByText('The other').waitFor();
    await merged.getByRole('button', { name: /^Separate/ }).click();
    await expect.poll(() => merged.count()).toBe(0);
    await page.getByRole('list', { name: 'History' }).getByText('separated 1 group from it').waitFor();
  });

  it('reports a group that does not exist', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/groups/grp_nobody');
    await page.getByText('Group not found').waitFor();
  });
});

describe('several groups at once', () => {
  it('resolves the selected groups by r, takes that back with z, and merges them with a way back', async () => {
    const { user } = await signUpWith([anError('The one'), anError('The other')]);
    const stateOf = async () =>
      (await user.api.get('/groups')).body.map(({ state }: { state: string }) => state);
    const { page, open, faults } = await visit(service, user);
    await open('/groups');
    await rowsOf(page).nth(1).waitFor();
    const selectBoth = async () => {
      for (const box of await page.getByRole('checkbox').all()) await box.check();
    };
    await selectBoth();
    const bar = page.getByRole('toolbar', { name: 'Selected groups' });
    await bar.getByText('2 selected').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('r');
    await bar.getByText('Resolved 2 groups').waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => bar.count()).toBe(0);
    expect(await stateOf()).toEqual(['open', 'open']);
    await selectBoth();
    await bar.getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await selectBoth();
    await bar.getByRole('button', { name: 'Resolve', exact: true }).click();
    await expect.poll(stateOf).toEqual(['resolved', 'resolved']);
    await page.getByText('Nothing open').waitFor();
    expect(faults).toEqual([]);
  });
});
