import { expect, it } from 'vitest';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { HOUR_MS } from '../../src/platform/durations.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { startArchive } from './engine.ts';
import { moveWeek } from './read-pages.ts';
import { MONDAY_MS } from './span-service.ts';

it('serves events of the archive, and answers 503 without it while it stays ready', async () => {
  const { archive, engine } = await startArchive();
  const database = await createTestDatabase();
  const environment = { ARCHIVE_URL: `${engine.url}/default`, RETENTION_DAYS: '3650' };
  const service = await startTestService({ roles: ['management'], database, environment });
  const user = await service.signUp();
  const project = await user.createProject();
  await ensurePartitions(database.pool, MONDAY_MS, MONDAY_MS);
  await storeEvents(database.pool, project, { count: 60, firstMs: MONDAY_MS, stepMs: HOUR_MS });
  const read = () => user.api.get('/events?limit=50');
  const before = await read();
  expect(before.body).toHaveLength(50);
  await moveWeek(database.pool, archive, MONDAY_MS);
  const after = await read();
  expect([after.body, after.headers.get('link')]).toEqual([before.body, before.headers.get('link')]);

  await engine.kill();
  const refused = await read();
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({
    code: 'unavailable',
    detail: 'Events before 2026-03-09 come from the archive, which does not answer.',
  });
  expect((await user.api.get('/readyz')).status).toBe(200);
});
