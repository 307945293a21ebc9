import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { anError, rowOf, rowsOf, visitGroups } from './support/groups.ts';

const service = await startTestService();
const { page, user, open, faults, projectWith } = await visitGroups(service, 7, {
  viewport: { width: 1440, height: 900 },
});

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
    const { idOf, show } = await projectWith([
      event('a', '1.0.0', 30),
      event('b', '1.1.0', 1),
      event('b', '1.1.0', 0),
      anError('The basket is empty'),
    ]);
    await user.api.patch(`/groups/${await idOf('refused')}`, { assigneeId: user.id });
    await show();
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

  it('lists open groups of warnings and worse at first, and keeps each choice in the address', async () => {
    const { idOf, show } = await projectWith([
      anError('It failed'),
      anError('It may fail', { severity: 'WARN' }),
      anError('It went well', { severity: 'INFO' }),
      anError('It failed before'),
    ]);
    await user.api.patch(`/groups/${await idOf('before')}`, { state: 'resolved' });
    await show();
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
    const { id, list, show } = await projectWith([
      anError('The card was refused', { release: '2.0.0' }),
      anError('The basket is empty'),
    ]);
    const [basket] = await list('&q=basket');
    await show(`&q=${basket?.key}`);
    await rowOf(page, 'basket').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('CARD ref');
    await rowOf(page, 'refused').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    // A load, after which the field of the search is empty.
    await open(`/groups?project=${id}`);
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
    await show('&assignee=me');
    await page.getByText('No matching groups').waitFor();
  });

  it('finds a group of any state by its key, and opens it with Enter', async () => {
    const { idOf, list, show } = await projectWith([anError('It failed before'), anError('It fails')]);
    await user.api.patch(`/groups/${await idOf('before')}`, { state: 'resolved' });
    const [resolved] = await list('&state=resolved');
    const key = resolved?.key ?? '';
    await show();
    await rowOf(page, 'It fails').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search groups' });
    await search.fill(key.toLowerCase());
    const found = page.getByRole('region', { name: 'Group with this key' }).getByRole('link');
    await expect.poll(() => found.allInnerTexts()).toEqual([`${key}\nIt failed before\nresolved`]);
    await search.press('Enter');
    await page.waitForURL(new RegExp(`/groups/${key}`));
    await page.getByRole('heading', { level: 1, name: 'It failed before' }).waitFor();
  });

  it('shows the matching events below the groups of a search', async () => {
    const frames = [{ function: 'refuse', file: 'src/till.ts', line: 4, column: 2, inApplication: true }];
    const { show } = await projectWith([
      anError('Card 17 was refused'),
      anError('Card 18 was refused'),
      anError('The till is jammed', { payload: { frames } }),
      anError('The basket is empty'),
    ]);
    await show();
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('refuse');
    const events = page.getByRole('list', { name: 'Newest events in these groups' }).getByRole('link');
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

  it('says how far an incomplete search went, and continues it', async () => {
    const { list, show } = await projectWith([anError('It failed')]);
    let found = false;
    await page.route(/:\d+\/groups\?/, async (route) => {
      const address = new URL(route.request().url());
      if (!address.searchParams.has('q')) return route.continue();
      const hasCursor = address.searchParams.has('cursor');
      if (hasCursor && found) return route.fulfill({ json: await list() });
      found = hasCursor;
      address.searchParams.set('cursor', '1');
      const headers = { 'scanned-groups': '20000', link: `<${address.href}>; rel="next"` };
      return route.fulfill({ json: [], headers });
    });
    await show('&q=failed');
    await page.getByText('No match in about 20,000 groups.').waitFor();
    expect(await page.getByText('No matching groups').count()).toBe(0);
    await page.getByRole('button', { name: 'Keep searching' }).click();
    await page.getByText('No match in about 40,000 groups.').waitFor();
    await page.getByRole('button', { name: 'Keep searching' }).click();
    await rowOf(page, 'It failed').waitFor();
    await page.getByRole('button', { name: 'Keep searching' }).waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  it('explains an empty list of groups, and how to send events', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    await open('/groups');
    await page.getByText('No groups yet').waitFor();
    expect(await page.getByRole('link', { name: 'Create project' }).getAttribute('href')).toContain(
      '/projects/new',
    );
  });

  it('offers all severities if there are only routine events', async () => {
    const { show } = await projectWith([anError('Order was paid', { severity: 'INFO' })]);
    await show();
    await page.getByText('Nothing open').waitFor();
    await page.getByRole('button', { name: 'Show all severities' }).click();
    await rowOf(page, 'Order was paid').waitFor();
  });
});
