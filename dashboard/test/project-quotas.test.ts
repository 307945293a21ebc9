import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { toUuid } from '../../server/src/platform/ids.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { startTestService, visit } from './support/browser.ts';

const service = await startTestService();
const NONE = { per5Minutes: null, perHour: null, perDay: null };

it('sets the quotas of a project and of a key, and switches them off', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject('Shop');
  await user.api.post(`/projects/${id}/api-keys`, { name: 'Pages', use: 'browser' });
  const quotasOf = async () => (await user.api.get(`/projects/${id}/quotas`)).body;
  const { page, open } = await visit(service, user);
  await open(`/projects/${id}/data`);
  const quotas = page.getByRole('region', { name: 'Quotas', exact: true });
  const save = async () => {
    await quotas.getByRole('button', { name: 'Save quota' }).click();
    await page.getByText('Saved').first().waitFor();
  };
  await quotas.getByLabel('Events an hour').fill('5,000');
  await save();
  await waitFor('the quota', async () =>
    isDeepStrictEqual((await quotasOf()).quota, { ...NONE, perHour: 5_000 }),
  );
  await quotas.getByLabel('Quota for').click();
  await page.getByRole('option', { name: 'Key Pages' }).click();
  expect(await quotas.getByLabel('Events in 5 minutes').inputValue()).toBe('3000');
  await quotas.getByLabel('Events in 5 minutes').fill('');
  await save();
  await waitFor('the quota', async () => isDeepStrictEqual((await quotasOf()).keys[0].quota, NONE));
  for (const wrong of ['many', '2000000000']) {
    await quotas.getByLabel('Events a day').fill(wrong);
    await quotas.getByRole('button', { name: 'Save quota' }).click();
    await quotas.getByText('Enter a whole number from 1 to 1,000,000,000, or leave empty.').waitFor();
  }
  expect((await quotasOf()).quota).toEqual({ ...NONE, perHour: 5_000 });
});

it('says on the page of a project since when it is over its quota, and how many events were refused', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject('Shop');
  const now = new Date(service.context.clock.now());
  await service.database.pool.query(
    `INSERT INTO quota_windows (subject_id, project_id, seconds, starts_at, over_since, refused)
      VALUES ($1, $1, 3600, date_trunc('hour', $2::timestamptz), $2, 12345)`,
    [toUuid('proj', id), now],
  );
  await waitFor('the notice', async () => (await user.api.get('/auth/notices')).body.length === 1);
  const { page, open } = await visit(service, user);
  await open(`/projects/${id}`);
  const notes = page.getByRole('region', { name: 'Exceeded quotas' });
  await notes.getByText('over its quota (events an hour)').waitFor();
  expect(await notes.textContent()).toContain('12,345 refused');
  await page.getByRole('list', { name: 'Notices' }).getByText('12,345 events have been refused').waitFor();
  await page.getByRole('list', { name: 'Notices' }).getByRole('link', { name: 'Data and limits' }).click();
  await page.getByRole('region', { name: 'Quotas', exact: true }).waitFor();
});
