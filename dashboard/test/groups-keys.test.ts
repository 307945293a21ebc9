import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SilenceRecord } from '../src/lib/api-types.ts';
import { becomesLive, startTestService } from './support/browser.ts';
import { takesKeys } from './support/choose.ts';
import { findCovered } from './support/find-covered.ts';
import { anError, rowOf, rowsOf, titlesOf, visitGroups } from './support/groups.ts';
import { whenRead } from './support/navigate.ts';

/** Minimum interval in which the list is read again. */
const READ_INTERVAL_MS = 3_000;
/** Pause after which typed words apply. */
const PAUSE_MS = 200;
/** Time in which a change can be undone. */
const HOLD_MS = 5_000;

const service = await startTestService();
const { page, user, faults, projectWith } = await visitGroups(service, 11, { hasClock: true });

describe('the list of groups', () => {
  it('sorts groups by their column headers', async () => {
    const events = (message: string, count: number) => Array.from({ length: count }, () => anError(message));
    const { show } = await projectWith([
      ...events('Often', 5),
      ...events('Sometimes', 3),
      ...events('Once', 1),
    ]);
    await show('&sort=first_seen');
    await rowsOf(page).nth(2).waitFor();
    await page.getByRole('button', { name: 'Events' }).click();
    await expect.poll(() => titlesOf(page)).toEqual(['Often', 'Sometimes', 'Once']);
    expect(page.url()).toContain('sort=count');
  });

  it('moves with j and k, selects with x, clears with Escape, and Enter opens', async () => {
    const { show } = await projectWith(['First', 'Second', 'Third'].map((message) => anError(message)));
    await show();
    await rowsOf(page).nth(2).waitFor();
    const [, second = ''] = await titlesOf(page);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect.poll(() => page.locator(':focus').innerText()).toBe(second);
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

  it('opens the group that is gone back to, or named by its key, right after a word was typed', async () => {
    const { list, show } = await projectWith([anError('The first one'), anError('Another kind')]);
    const [first] = await list('&q=first');
    const search = page.getByRole('searchbox', { name: 'Search groups' });
    const afterPause = () => whenRead(page, () => page.clock.fastForward(PAUSE_MS));
    const opens = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await show();
    await rowOf(page, 'Another kind').getByRole('link').click();
    await opens('Another kind');
    await page.getByRole('link', { name: 'Groups' }).first().click();
    await search.fill('first');
    await page.goBack();
    await afterPause();
    await opens('Another kind');

    await show();
    await search.fill(first?.key ?? '');
    await search.press('Enter');
    await afterPause();
    await opens('The first one');
    expect(new URL(page.url()).searchParams.get('q')).toBeNull();
    expect(faults).toEqual([]);
  });

  it('selects all groups from the last selected one on by a click with Shift', async () => {
    const { show } = await projectWith(['First', 'Second', 'Third'].map((message) => anError(message)));
    await show();
    await rowsOf(page).nth(2).waitFor();
    const boxes = page.getByRole('checkbox');
    await boxes.first().check();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
  });

  it('changes the focused group by r, m and a if none is selected, and shows its events by e', async () => {
    const { list, show } = await projectWith(['First', 'Second', 'Third'].map((message) => anError(message)));
    const find = async (title: string) => (await list()).find((group) => group.title === title);
    await show();
    await rowsOf(page).nth(2).waitFor();
    const [first = '', second = '', third = ''] = await titlesOf(page);
    const focused = () => page.locator(':focus').innerText();
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

    await press('j', 'm');
    await takesKeys(page);
    await press('Escape');
    await expect.poll(focused).toBe(first);
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await press('m');
    await page.getByRole('menuitem', { name: 'Forever' }).click();
    await page.getByRole('toolbar').getByText('Muted').waitFor();
    // The next change sends it, and the row leaves the list of open groups.
    await press('j');
    await expect.poll(focused).toBe(second);
    await press('a');
    await page.getByRole('menuitemcheckbox', { name: /you$/ }).click();
    await expect.poll(async () => (await find(first))?.state).toBe('muted');
    await expect.poll(() => titlesOf(page)).toEqual([second, third]);
    await expect.poll(focused).toBe(second);
    await press('r');
    await expect.poll(async () => (await find(second))?.assigneeId).toBe(user.id);
    await page.clock.fastForward(HOLD_MS);
    await expect.poll(async () => (await find(second))?.state).toBe('resolved');
    await expect.poll(focused).toBe(third);
    await press('?');
    await page.getByRole('dialog').getByText('Resolve group').waitFor();
    await press('Escape', 'j', 'e');
    await page.waitForURL(/\/app\/events/);
    expect(new URL(page.url()).searchParams.get('group_id')).toBe((await find(third))?.id);
    expect(faults).toEqual([]);
  });

  it('loads more groups than fit on a page', async () => {
    const words = Array.from({ length: 60 }, (_, index) =>
      String.fromCharCode(97 + (index % 26), 97 + index / 26),
    );
    const { show, send } = await projectWith(words.map((word) => anError(`Broken ${word}`)));
    await show();
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await becomesLive(page);
    // News that come while the next page is read make the list be read again.
    const [isNextPage, isFirstPage] = [/\/groups\?.*cursor=/, /\/groups\?(?!.*cursor=).*limit=/];
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(isNextPage, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(isNextPage);
    await page.getByRole('button', { name: 'Load more' }).click();
    await asked;
    const readAgain = page.waitForResponse(isFirstPage);
    await send([anError('Broken aa')]);
    await page.clock.fastForward(READ_INTERVAL_MS);
    await readAgain;
    goOn();
    await expect.poll(() => rowsOf(page).count()).toBe(60);
    await page.unroute(isNextPage);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('shows groups by itself, but moves none under the pointer until its button is pressed or the pointer leaves', async () => {
    const { send, show } = await projectWith([anError('The first one')]);
    const untilShown = (what: Locator) =>
      expect
        .poll(async () => {
          await page.clock.fastForward(READ_INTERVAL_MS);
          return what.count();
        })
        .toBe(1);
    await show();
    await rowOf(page, 'The first one').waitFor();
    await becomesLive(page);
    await page.mouse.move(5, 5);
    await send([anError('Another kind')]);
    await untilShown(rowOf(page, 'Another kind'));
    await rowOf(page, 'The first one').hover();
    await send([anError('A third kind')]);
    await send([anError('The first one')]);
    const waiting = page.getByRole('button', { name: '1 new, 1 moved' });
    await untilShown(waiting);
    expect(await titlesOf(page)).toEqual(['Another kind', 'The first one']);
    expect(await findCovered(rowsOf(page), waiting)).toEqual([]);
    await waiting.click();
    await expect.poll(() => titlesOf(page)).toEqual(['The first one', 'A third kind', 'Another kind']);
    await waiting.waitFor({ state: 'detached' });
    // The list keeps the focus of the button, which must not hold its rows.
    await page.locator('[tabindex="-1"]:focus').waitFor();
    await rowOf(page, 'Another kind').hover();
    await send([anError('Another kind')]);
    const moved = page.getByRole('button', { name: '1 moved' });
    await untilShown(moved);
    await page.mouse.move(5, 5);
    await moved.waitFor({ state: 'detached' });
    expect(await titlesOf(page)).toEqual(['Another kind', 'The first one', 'A third kind']);
    expect(faults).toEqual([]);
  });
});

describe('several groups at once', () => {
  it('resolves the selected groups by r, undoes that with z, and merges them reversibly', async () => {
    const { list, show } = await projectWith([anError('The one'), anError('The other')]);
    const stateOf = async () => (await list()).map(({ state }) => state);
    await show();
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
    await bar.getByText('Resolved 2 groups').waitFor();
    await page.clock.fastForward(HOLD_MS);
    await expect.poll(stateOf).toEqual(['resolved', 'resolved']);
    await page.getByText('Nothing open').waitFor();
    expect(faults).toEqual([]);
  });

  it('separates all merged groups that it can, and names the others', async () => {
    const { list, show } = await projectWith(['One', 'Two', 'Three'].map((message) => anError(message)));
    await show();
    for (const row of await rowsOf(page).all()) await row.getByRole('checkbox').check();
    const bar = page.getByRole('toolbar', { name: 'Selected groups' });
    await bar.getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    let isFirst = true;
    await page.route('**/groups/*/merged/*', (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      return route.fulfill({ status: 409, json: { detail: 'It is locked.', code: 'conflict' } });
    });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Still merged: .+\. It is locked\.$/).waitFor();
    await expect.poll(async () => (await list()).length).toBe(2);
    await page.unroute('**/groups/*/merged/*');
    expect(faults).toEqual([]);
  });

  it('silences the selected groups, names those that it cannot, and undoes that', async () => {
    const { list, show } = await projectWith(['One', 'Two', 'Three'].map((message) => anError(message)));
    const silenced = async () =>
      ((await user.api.get('/silences?state=active')).body as SilenceRecord[]).map(({ groupId }) => groupId);
    const [refused] = await list('&q=Two');
    const isRefused = (body: string | null) => body?.includes(refused?.id ?? '');
    const others = (await list()).filter(({ id }) => id !== refused?.id).map(({ id }) => id);
    await page.route('**/silences', (route) =>
      isRefused(route.request().postData())
        ? route.fulfill({ status: 409, json: { detail: 'There are too many.', code: 'conflict' } })
        : route.continue(),
    );
    await show();
    for (const row of await rowsOf(page).all()) await row.getByRole('checkbox').check();
    const bar = page.getByRole('toolbar', { name: 'Selected groups' });
    await bar.getByRole('button', { name: 'Mute or silence' }).click();
    await page.getByText('Mute hides the groups. Silence stops their messages.').waitFor();
    await page.getByRole('menuitem', { name: 'Silence…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence 3 groups' });
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await page.getByText(`Not silenced: ${refused?.key}. There are too many.`).waitFor();
    expect(new Set(await silenced())).toEqual(new Set(others));
    const done = page.getByRole('status').filter({ hasText: 'Silenced 2 groups' });
    await page.unroute('**/silences');
    let isFirst = true;
    await page.route('**/silences/*', (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      return route.fulfill({ status: 409, json: { detail: 'It is locked.', code: 'conflict' } });
    });
    await done.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Still silenced: .+\. It is locked\.$/).waitFor();
    await page.getByText('No longer silenced: 1 group').waitFor();
    expect(await silenced()).toHaveLength(1);
    await page.unroute('**/silences/*');
    expect(faults).toEqual([]);
  });

  it('silences no further group once the dialog is cancelled, and says which it has silenced', async () => {
    const { show } = await projectWith(['One', 'Two', 'Three'].map((message) => anError(message)));
    const sent: (() => Promise<void>)[] = [];
    await page.route('**/silences', (route) => void sent.push(() => route.continue()));
    await show();
    for (const row of await rowsOf(page).all()) await row.getByRole('checkbox').check();
    const mute = page
      .getByRole('toolbar', { name: 'Selected groups' })
      .getByRole('button', { name: 'Mute or silence' });
    await mute.click();
    await page.getByRole('menuitem', { name: 'Silence…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence 3 groups' });
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await expect.poll(() => sent.length).toBe(1);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await mute.click();
    await page.getByRole('menuitem', { name: 'Until more events arrive…' }).click();
    await sent[0]?.();
    await page.getByRole('status').filter({ hasText: 'Silenced 1 group' }).waitFor();
    expect(sent).toHaveLength(1);
    await page.getByRole('dialog', { name: 'Mute until more events arrive' }).waitFor();
    await page.unroute('**/silences');
    expect(faults).toEqual([]);
  });
});
