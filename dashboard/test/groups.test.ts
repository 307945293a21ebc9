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
    const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
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
