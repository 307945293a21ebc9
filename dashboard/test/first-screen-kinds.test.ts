import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { addShiftRecorder } from './support/find-shifts.ts';
import { expectOnFirstScreen, HOSTILE, PHONE } from './support/first-screen.ts';
import { whenRead } from './support/navigate.ts';
import { expectStatus, openOtherIncidents } from './support/seed.ts';

/** Maximum length of a type, the shortest of the texts. */
const MAX_LENGTH = 110;

const service = await startTestService();

async function setUp(write: (text: string) => string) {
  const user = await service.signUp();
  const incidents = await openOtherIncidents(service, user, write);
  const { body: groups } = await user.api.get('/groups');
  const declined = ({ title }: { title: string }) => title.includes('Card was declined');
  const groupId = String(groups.find(declined).id);
  // A context of its own, since the recorder stays in it.
  const visited = await visit(service, user, { viewport: PHONE, locale: 'en-GB' });
  await addShiftRecorder(visited.context, service.context.clock.now());
  /** Opens a page by a load, and waits until it has read what it shows. */
  const openPage = async (path: string): Promise<Page> => {
    await whenRead(visited.page, () => visited.open(path));
    return visited.page;
  };
  return { ...visited, user, incidents, groupId, openPage };
}

describe.each([
  { name: 'ordinary texts', write: (text: string) => text },
  {
    name: 'hostile texts',
    write: (text: string) => Array.from(`${text} ${HOSTILE}`).slice(0, MAX_LENGTH).join(''),
  },
])('the first screen on a phone, with $name', ({ write }) => {
  let shown: Awaited<ReturnType<typeof setUp>>;
  beforeAll(async () => {
    shown = await setUp(write);
  });

  it('holds title, share, since, users, release, owner and two buttons of an incident of failed payments', async () => {
    const { incidents, openPage, faults } = shown;
    const page = await openPage(`/incidents/${incidents.payments}`);
    await expectOnFirstScreen(page, {
      facts: ['Since', 'Who', 'Affected', 'Events', 'Release'],
      buttons: ['Investigate', 'Resolve', 'More actions'],
      first: page.getByRole('region', { name: 'Newest event', exact: true }).locator('p').first(),
    });
    expect(faults).toEqual([]);
  });

  it('holds title, time without success, since, owner, two buttons and the last check-in of a missed schedule', async () => {
    const { incidents, openPage, faults } = shown;
    const page = await openPage(`/incidents/${incidents.schedule}`);
    await expectOnFirstScreen(page, {
      facts: ['Since', 'Who', 'Next due'],
      buttons: ['Investigate', 'Resolve', 'More actions'],
      first: page.getByRole('list', { name: 'Check-ins' }).getByRole('listitem').first(),
    });
    expect(faults).toEqual([]);
  });

  it('holds title, count, times, assignee and two buttons of a group, muted or not', async () => {
    const { user, groupId, openPage, faults } = shown;
    const facts = ['Last seen', 'First seen', 'Assignee'];
    const buttons = ['Resolve', 'More ways to resolve', 'Mute or silence', 'More actions'];
    await expectOnFirstScreen(await openPage(`/groups/${groupId}`), { facts, buttons });
    await expectStatus(200, user.api.patch(`/groups/${groupId}`, { state: 'muted' }));
    const page = await openPage(`/groups/${groupId}`);
    await expectOnFirstScreen(page, { facts, buttons });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reopen' }).click();
    await page.getByRole('status').getByText('Reopened').waitFor();
    expect(faults).toEqual([]);
  });
});
