import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DETECTOR_VERSION } from '@tocsin/detector';
import { expect, it } from 'vitest';
import { BACKED_UP_TABLES } from '../../../src/backup/tables.ts';
import { DAY_MS } from '../../../src/platform/durations.ts';
import { readProgramVersion } from '../../../src/platform/version.ts';
import { CHECKOUT, ORDERS } from '../../risk/shop-events.ts';
import { middleOf, TestClock } from '../../support/clock.ts';
import { createTestDatabase } from '../../support/database.ts';
import { buildServer, runCommand } from '../../support/program.ts';
import { TEST_ENCRYPTION_KEY } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';
import { fillDatabase } from '../filled-database.ts';
import { externalPlace, readRows } from '../places.ts';
import {
  backupFileOf,
  factsFileOf,
  isReleased,
  ORDERS_PER_MINUTE,
  type ReleaseCounts,
  type ReleaseFacts,
} from './release-backup.ts';

/** A backup stays in the repository for good. */
const MAX_BYTES = 1_000_000;

/** The queue has one event, the first of its group. */
const COUNTS = `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM queue) AS events,
    (SELECT count(*) FROM groups) + (SELECT count(*) FROM queue) AS groups,
    (SELECT count(*) FROM incidents) AS incidents,
    (SELECT count(*) FROM members WHERE organization_id IN (SELECT organization_id FROM projects)) AS members,
    (SELECT count(*) FROM notification_targets) AS targets, (SELECT count(*) FROM notification_routes) AS routes,
    (SELECT count(*) FROM api_keys WHERE use <> 'hook') AS "apiKeys", (SELECT count(*) FROM schedules) AS schedules,
    (SELECT count(*) FROM notification_targets WHERE secrets IS NOT NULL) + (SELECT count(*) FROM totp_factors) AS secrets`;

/* `npm run backup:release`: run by vitest, since the database and the service are those of the tests. */
it('writes a backup of a filled database of this version, with its key beside it', async () => {
  const version = readProgramVersion();
  expect(await isReleased(version), 'The backup of a release never changes.').toBe(false);
  await buildServer();
  // The middle of a day: nothing in the backup depends on the hour at which it is made.
  const clock = new TestClock(middleOf(DAY_MS));
  const database = await createTestDatabase();
  const credentials = await fillDatabase(database, {
    clock,
    live: async ({ learn, run }) => {
      await learn(ORDERS_PER_MINUTE, ORDERS);
      await run(3, [ORDERS_PER_MINUTE, ORDERS]);
      await run(2, [ORDERS_PER_MINUTE, ORDERS], [60, CHECKOUT]);
      await waitFor('an incident of detection', async () => {
        const { rowCount } = await database.pool.query(
          `SELECT FROM incidents WHERE evidence ->> 'rule' = 'rise'`,
        );
        return rowCount === 1;
      });
    },
  });
  const place = externalPlace(database.connectionString);
  const rows = await readRows(place);
  // No detector of a new database awaits a rebuild.
  expect(BACKED_UP_TABLES.filter((table) => rows[table]?.length === 0 && table !== 'risk_rebuilds')).toEqual(
    [],
  );

  const [counts] = (await database.pool.query<ReleaseCounts>(COUNTS)).rows as [ReleaseCounts];
  const facts: ReleaseFacts = {
    warning: 'For tests only: this key and this password are public, and protect nothing.',
    madeAt: new Date(clock.now()).toISOString(),
    detectorVersion: DETECTOR_VERSION,
    encryptionKey: TEST_ENCRYPTION_KEY,
    credentials,
    counts,
  };
  const file = backupFileOf(version);
  await mkdir(path.dirname(file), { recursive: true });
  const backup = await runCommand(['backup', '--force', file], { environment: place.environment });
  expect(backup).toMatchObject({ exitCode: 0 });
  expect((await stat(file)).size).toBeLessThanOrEqual(MAX_BYTES);
  await writeFile(factsFileOf(version), `${JSON.stringify(facts, null, 2)}\n`);
});
