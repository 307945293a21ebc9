import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();
const inHours = (hours: number) => new Date(service.context.clock.now() + hours * 3_600_000).toISOString();

/** Signs up an OWNER with an incident created by hand, and a group. */
async function setUp() {
  const user = await service.signUp();
  const project = await user.createProject('Shop');
  const event = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'The card was refused' };
  await expectStatus(202, project.ingest.post('/ingest/bulk', [event]));
  await service.settled();
  const { body: groups } = await user.api.get('/groups');
  const incident = { title: 'Slow checkout', severity: 'error', projectId: project.id };
  const { body } = await expectStatus(201, user.api.post('/incidents', incident));
  return { user, project, groupId: String(groups[0].id), incidentId: String(body.id) };
}

const silencesOf = async (user: { api: { get: (path: string) => Promise<{ body: unknown }> } }, query = '') =>
  (await user.api.get(`/silences${query}`)).body as Record<string, unknown>[];

describe('silencing', () => {
  it('silences an incident’s series by keys, shows who did so until when, and ends the silence', async () => {
    const { user, project, incidentId } = await setUp();
    const { page, open, faults } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('button', { name: 'Silence' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('dialog').waitFor();
    await choose(page.getByLabel('For', { exact: true }), '4 hours');
    await page.getByLabel('Reason').fill('Load test');
    await page.keyboard.press('Enter');
    await page.getByText(/^Silenced by Ada Lovelace until .*: Load test$/).waitFor();
    const [silence] = await silencesOf(user);
    expect(silence).toMatchObject({ projectId: project.id, type: null, reason: 'Load test', matched: 1 });
    const hours = (Date.parse(String(silence?.['until'])) - service.context.clock.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(4);
    await page.getByRole('button', { name: 'End the silence for the project Shop' }).click();
    await expect.poll(async () => (await silencesOf(user)).length).toBe(0);
    await page.getByText(/^Silenced by/).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('opens the dialog from the link of a message, and silences nothing before one key confirms', async () => {
    const { user, groupId, incidentId } = await setUp();
    const { page, open, faults } = await visit(service, user);
    await open(`/incidents/${incidentId}?silence=4h`);
    await page.getByRole('dialog').getByText('4 hours', { exact: true }).waitFor();
    expect(await silencesOf(user)).toEqual([]);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await silencesOf(user)).toEqual([]);
    // One key also takes the incident on.
    await page.keyboard.press('i');
    await page.getByText('Ada Lovelace is on it', { exact: true }).waitFor();
    await open(`/groups/${groupId}?silence=tomorrow`);
    await page.getByRole('dialog').getByText('Until tomorrow, 9:00').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Silenced by Ada Lovelace until/).waitFor();
    expect(await silencesOf(user)).toMatchObject([{ groupId }]);
    expect(faults).toEqual([]);
  });

  it('keeps the link of a message during the login', async () => {
    const { incidentId } = await setUp();
    const { page, open } = await visit(service);
    await open(`/incidents/${incidentId}?silence=4h`);
    await expect.poll(() => new URL(page.url()).searchParams.get('next')).toContain('silence=4h');
  });

  it('offers the scopes of a group, and an end at most 30 days ahead', async () => {
    const { user, groupId } = await setUp();
    const { page, open, faults } = await visit(service, user);
    await open(`/groups/${groupId}`);
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByText('Mute hides the group. Silence stops its messages.').waitFor();
    await page.getByRole('menuitem', { name: 'Silence…' }).click();
    await page.getByLabel('Scope').click();
    const scopes = page.getByRole('option');
    await scopes.first().waitFor();
    expect(await scopes.allInnerTexts()).toEqual([
      expect.stringMatching(/^Group SHOP-\d$/),
      'Series checkout · shop',
      'Everything from shop',
      'The whole project',
    ]);
    await page.getByRole('option', { name: 'Series checkout · shop' }).click();
    await choose(page.getByLabel('For', { exact: true }), 'Until another time');
    await page.getByRole('button', { name: 'Silence' }).last().click();
    await page.getByText('Enter a time in the future.').waitFor();
    await page.getByLabel('Until').fill('2036-01-01T09:00');
    await page.keyboard.press('Enter');
    await page.getByText('A silence lasts at most 30 days.').waitFor();
    const day = inHours(48).slice(0, 10);
    await page.getByLabel('Until').fill(`${day}T09:00`);
    await page.keyboard.press('Enter');
    await page.getByText('for type checkout, source shop, the project Shop').waitFor();
    expect(await silencesOf(user)).toMatchObject([{ type: 'checkout', source: 'shop', groupId: null }]);
    expect(faults).toEqual([]);
  });
});

describe('the page of silences', () => {
  it('lists active and ended silences with their matches, of all projects or one', async () => {
    const { user, project } = await setUp();
    const other = await user.createProject('Blog');
    await expectStatus(201, user.api.post('/silences', { projectId: project.id, until: inHours(1) }));
    const ended = await user.api.post('/silences', { projectId: other.id, until: inHours(1) });
    await user.api.delete(`/silences/${ended.body.id}`);
    const { page, open, faults } = await visit(service, user);
    await open('/alerts/silences');
    const list = page.getByRole('list', { name: 'Silences' });
    await list.getByText('matched 1 incident or group').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
    await choose(page.getByLabel('State'), 'Ended');
    await list.getByText('hasn’t matched anything').waitFor();
    await list.getByText('ended by Ada Lovelace').waitFor();
    await choose(page.getByLabel('Project', { exact: true }), 'Shop');
    await page.getByText('No silence has ended').waitFor();
    await page.getByRole('button', { name: 'New silence' }).click();
    await page.getByRole('dialog').getByText('Project Shop').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page.getByLabel('State'), 'Active');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    expect(faults).toEqual([]);
  });
});
