import { describe, expect, it } from 'vitest';
import { encryptAgain } from '../../src/maintenance/encrypt-again.ts';
import { Encryption } from '../../src/platform/encryption/encryption.ts';
import type { WatchedSeriesList } from '../../src/risk/series/schema.ts';
import { CHECKOUT, ORDERS } from '../risk/shop-events.ts';
import { ApiClient, readAll } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { buildServer, runCommand } from '../support/program.ts';
import { startTestService } from '../support/service.ts';
import { listReleaseBackups, ORDERS_PER_MINUTE, type ReleaseCounts } from './releases/release-backup.ts';
import { createNewDatabase, openDatabase } from './support.ts';

/** Anomaly that opened the incident. */
const RISE = { type: CHECKOUT.type, rule: 'rise' };

const backups = await listReleaseBackups();

describe.each(backups)('an upgrade from $version', async (backup) => {
  const { credentials, encryptionKey } = backup;
  await buildServer();
  const url = await createNewDatabase();
  const restored = await runCommand(['restore', backup.file], { environment: { DATABASE_URL: url } });
  const database = openDatabase(url);
  // On its day: retention would delete its events later.
  const service = await startTestService({
    database,
    clock: new TestClock(Date.parse(backup.madeAt)),
    environment: { ENCRYPTION_KEY: encryptionKey },
  });
  const api = new ApiClient(service.managementUrl);
  const ingest = new ApiClient(service.ingestionUrl, { 'x-api-key': credentials.apiKey });
  const login = await api.post('/auth/login', credentials);
  await service.settled();
  const [project] = await readAll(api, '/projects');

  it(`restores a backup of ${backup.version}, whose users log in with their passwords`, () => {
    expect(restored).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Restored ') });
    expect(login.status).toBe(200);
  });

  it(`serves everything that was stored by ${backup.version}`, async () => {
    const lists: [name: keyof ReleaseCounts, path: string][] = [
      ['events', '/events'],
      ['groups', '/groups'],
      ['incidents', '/incidents'],
      ['members', '/organizations/members'],
      ['targets', '/notification-targets'],
      ['routes', '/notification-routes'],
      ['apiKeys', `/projects/${project.id}/api-keys`],
      ['schedules', `/projects/${project.id}/schedules`],
    ];
    for (const [name, path] of lists) {
      expect(await readAll(api, path), name).toHaveLength(backup.counts[name]);
    }
  });

  it(`continues the detection of ${backup.version}, with the usual rates of its series and its open incident`, async () => {
    const { series } = (await api.get(`/projects/${project.id}/risk/series`)).body;
    const orders = series.find((one: WatchedSeriesList['series'][number]) => one.series.type === ORDERS.type);
    expect(orders.perMinute).toBeGreaterThan(ORDERS_PER_MINUTE / 2);
    expect(await readAll(api, '/incidents?status=open')).toMatchObject([
      { origin: 'manual' },
      { origin: 'risk', evidence: { alsoSeries: expect.arrayContaining([expect.objectContaining(RISE)]) } },
    ]);
  });

  it(`accepts events by a key of ${backup.version}, and processes them`, async () => {
    const event = { type: 'after', severity: 'INFO', message: 'After the upgrade' };
    expect((await ingest.post('/ingest/events', event)).status).toBe(202);
    await service.settled();
    expect((await api.get('/events?limit=1')).body).toMatchObject([{ message: event.message }]);
  });

  it(`reads the secrets of ${backup.version} with its key`, async () => {
    const { renewed } = await encryptAgain(database.pool, new Encryption(['another key', encryptionKey]));
    expect(renewed).toBe(backup.counts.secrets);
  });
});
