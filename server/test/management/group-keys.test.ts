import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const BROKEN = { type: 'order', severity: 'ERROR', message: 'It broke' };

async function createPair() {
  const { api, createProject } = await service.signUp();
  const production = await createProject('Storefront');
  const { body: staging } = await api.post('/projects', { name: 'Storefront', environment: 'staging' });
  return { api, production, staging };
}

it('gives the groups of two environments of one application different keys', async () => {
  const { api, production, staging } = await createPair();
  expect(staging.groupPrefix).toBe('STOREFRONT-STG');
  await production.ingest.post('/ingest/events', BROKEN);
  const ingest = new ApiClient(service.ingestionUrl, { 'x-api-key': staging.apiKey });
  await ingest.post('/ingest/events', BROKEN);
  await service.settled();
  const keys = (await api.get('/groups?sort=first_seen')).body.map(({ key }: { key: string }) => key);
  expect(keys.toSorted()).toEqual(['STOREFRONT-1', 'STOREFRONT-STG-1']);
});

it('leads by a former key to the group after the prefix of its project was changed', async () => {
  const { api, production } = await createPair();
  await production.ingest.post('/ingest/events', BROKEN);
  await service.settled();
  const changed = await api.patch(`/projects/${production.id}`, { groupPrefix: 'web shop' });
  expect(changed.body).toMatchObject({ groupPrefix: 'WEB-SHOP', formerGroupPrefixes: ['STOREFRONT'] });
  for (const query of ['key=STOREFRONT-1', 'q=storefront-1', 'key=web-shop-1'])
    expect((await api.get(`/groups?${query}`)).body).toMatchObject([{ key: 'WEB-SHOP-1' }]);
  const { body: audit } = await api.get('/organizations/audit?limit=1');
  expect(audit[0]).toMatchObject({
    before: { groupPrefix: 'STOREFRONT' },
    after: { groupPrefix: 'WEB-SHOP' },
  });
});

it('keeps the keys of groups when a project is renamed', async () => {
  const { api, production } = await createPair();
  expect((await api.patch(`/projects/${production.id}`, { name: 'Till' })).body.groupPrefix).toBe(
    'STOREFRONT',
  );
});

it('refuses a prefix that another project has or had, and takes that of a deleted one', async () => {
  const { api, production, staging } = await createPair();
  const choose = (groupPrefix: string) => api.patch(`/projects/${staging.id}`, { groupPrefix });
  const taken = await choose('storefront');
  expectInvalid(taken, '/groupPrefix');
  expect(taken.body.detail).toBe('body/groupPrefix belongs to the project “Storefront” (production).');
  await api.patch(`/projects/${production.id}`, { groupPrefix: 'PROD' });
  expectInvalid(await choose('STOREFRONT'), '/groupPrefix');
  for (const invalid of ['', ' – ', 'A'.repeat(21), 1])
    expectInvalid(await api.patch(`/projects/${staging.id}`, { groupPrefix: invalid }), '/groupPrefix');
  await api.delete(`/projects/${production.id}`);
  expect((await choose('STOREFRONT')).body.groupPrefix).toBe('STOREFRONT');
});

it('gives a prefix to one of two projects that ask for it at the same time', async () => {
  const { api, production, staging } = await createPair();
  const answers = await Promise.all(
    [production.id, staging.id].map((id) => api.patch(`/projects/${id}`, { groupPrefix: 'WEB' })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
});
