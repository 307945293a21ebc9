import { describe, expect, it } from 'vitest';
import { listColumns, listTables } from '../../src/backup/queries.ts';
import { BACKED_UP_TABLES, TRANSIENT_TABLES } from '../../src/backup/tables.ts';
import { listEventPartitions } from '../../src/events/partition-queries.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildServer } from '../support/program.ts';
import { startTestService } from '../support/service.ts';
import { longForm } from '../support/test-length.ts';
import { fillDatabase, ODD_TEXTS } from './filled-database.ts';
import { countBackedUp, type Move, move } from './moved-service.ts';
import { externalPlace, type PlaceKind, temporaryDirectory } from './places.ts';
import { backUp, createNewDatabase, restore, withPool } from './support.ts';

describe('the list of tables that a backup holds', async () => {
  const { pool } = await createTestDatabase();

  it('lists every table of a backup except for transient ones', async () => {
    expect(await listTables(pool)).toEqual([...BACKED_UP_TABLES, ...TRANSIENT_TABLES].toSorted());
    expect((await listColumns(pool, BACKED_UP_TABLES)).map((table) => table.name)).toEqual(BACKED_UP_TABLES);
  });
});

/** Tables that are empty after a restore. */
const EMPTIED: Record<string, string> = {
  sessions: 'Some may have ended since the backup.',
  invitations: 'Some may have been used or revoked since.',
  access_tokens: 'Some may have been revoked since; --keep-tokens keeps them.',
};

/** Tables whose rows a restore changes. */
const CHANGED: Record<string, string> = {
  deliveries: 'Those that were not sent are held: they would be news of the past.',
  silences: 'Those that ended since the backup are settled: nothing is sent about it.',
  web_push_browsers: 'Nothing is sent to them until their users log in again.',
};

/** Row of `settings` that a restore writes. It marks API keys, since some may have been revoked after the backup. */
const isMark = (row: string) => row.startsWith('(api_keys_restored,');

/** Entry of the audit log that a restore writes for each token that it revokes. */
const isRevocation = (row: string) => row.includes('token.revoked_by_restore');

const isWritten = (row: string) => isMark(row) || isRevocation(row);

/**
 * Each pair of neighbours is a backup and a restore, with a service started on the result: some CPU seconds, of which
 * this file may cost ten. So in the short form both kinds are only read from and filled once.
 */
const ROUTE: PlaceKind[] = longForm
  ? ['external', 'external', 'embedded', 'embedded', 'external']
  : ['external', 'embedded', 'external'];

describe('a service that was used, and is moved by `tocsin backup` and `tocsin restore`', async () => {
  await buildServer();
  const source = await createTestDatabase();
  const credentials = await fillDatabase(source);
  await source.pool.query(`INSERT INTO silences (id, organization_id, reason, created_by, starts_at, until)
    SELECT gen_random_uuid(), organization_id, 'Over', created_by, starts_at, starts_at FROM silences`);
  await source.pool.query(`INSERT INTO risk_rebuilds (project_id, active_ms, since_ms)
    SELECT id, 0, 0 FROM projects WHERE deleted_at IS NULL ORDER BY id LIMIT 1`);
  const lastQueued = await source.pool.query<{ id: number }>('SELECT max(id) AS id FROM queue');
  const directory = await temporaryDirectory();
  const moves: Move[] = [];
  let [place, token] = [externalPlace(source.connectionString), null as string | null];
  for (const [index, to] of ROUTE.slice(1).entries()) {
    const keepsTokens = index === ROUTE.length - 2;
    const moved = await move({ from: place, to, keepsTokens, directory, credentials, token });
    moves.push(moved.move);
    [place, token] = [moved.place, moved.token];
  }

  it('moves rows in every table of a backup', () => {
    const empty = BACKED_UP_TABLES.filter((table) => moves[0]?.before[table]?.length === 0);
    expect(empty).toEqual([]);
  });

  describe.each(moves)('from $from to $to, keeping tokens: $keepsTokens', (moved) => {
    const { before, after, backup, restore, answers, keepsTokens } = moved;

    it('prints how many rows were backed up and restored', () => {
      const rows = countBackedUp(before);
      expect(backup).toMatchObject({ exitCode: 0, stderr: `Backed up ${rows} rows.\n` });
      expect(restore).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining(`Restored ${rows} rows.`),
      });
    });

    it('restores every table row for row, except for those that are known to change', () => {
      expect(Object.keys(after)).toEqual(Object.keys(before));
      const transient = new Set<string>(TRANSIENT_TABLES);
      for (const [table, rows] of Object.entries(before)) {
        const restored = after[table] ?? [];
        if (table in EMPTIED && !(keepsTokens && table === 'access_tokens'))
          expect(restored, `${table}: ${EMPTIED[table]}`).toEqual([]);
        else if (table in CHANGED) expect(restored, `${table}: ${CHANGED[table]}`).toHaveLength(rows.length);
        else if (!transient.has(table))
          expect(
            restored.filter((row) => !isWritten(row)),
            table,
          ).toEqual(rows.filter((row) => !isWritten(row)));
      }
      expect(after.settings?.filter(isMark)).toHaveLength(1);
    });

    it('says what ended with the restore, and keeps what is not listed', () => {
      expect(restore.stderr).toMatch(/^Ended the \d+ sessions of the backup: all users/m);
      expect(restore.stderr).toMatch(/^Kept the \d+ API keys of the backup valid/m);
      const tokens = before.access_tokens?.length ?? 0;
      expect(tokens).toBeGreaterThan(0);
      expect(restore.stderr.includes(`Revoked the ${tokens} access tokens of the backup`)).toBe(!keepsTokens);
      const revocations = (rows: string[] | undefined) => rows?.filter(isRevocation).length ?? 0;
      expect(revocations(after.audit_log) - revocations(before.audit_log)).toBe(keepsTokens ? 0 : tokens);
      expect(JSON.stringify(after.deliveries)).not.toContain('pending');
      expect(JSON.stringify(after.deliveries)).toContain('held');
    });

    it('starts the service on the result, with its accounts, keys and events, and marks old keys', () => {
      expect(answers).toEqual({
        loginStatus: 200,
        tokenStatus: keepsTokens ? 200 : 401,
        ingestStatus: 202,
        messages: expect.arrayContaining([...ODD_TEXTS, 'Old', 'Still in the queue', 'After the restore']),
        restoredAt: [expect.any(String), null],
        // The first move revokes it; the second one keeps the log.
        hasRevocation: true,
        derived: { differences: [], copiedHours: 2 },
        exitCode: 0,
      });
    });
  });

  it('holds unsent messages and applies the silences that ended since the first backup', () => {
    expect(moves[0]?.restore.stderr).toMatch(/^Held \d+ notifications that were not sent yet/m);
    expect(moves[0]?.restore.stderr).toMatch(/^Closed 1 silences that ended since the backup/m);
    expect(moves[0]?.restore.stderr).toMatch(/^Revoked the 1 invitations of the backup/m);
  });

  it('keeps ledgers balanced, partitions of old events and numbers of rows through all moves', async () => {
    await place.withDatabase(async (client) => {
      const ledgers = await client.query<{ difference: string }>(
        'SELECT sum(accepted - stored - duplicate - dead - dropped - sampled - erased - expired) AS difference FROM ledgers',
      );
      expect(Number(ledgers.rows[0]?.difference)).toBe(0);
      expect((await listEventPartitions(client)).length).toBeGreaterThanOrEqual(13);
      const next = await client.query<{ id: string }>(
        `INSERT INTO queue (bytes, deltas, events) VALUES (2, '{}', '[]') RETURNING id`,
      );
      expect(Number(next.rows[0]?.id)).toBeGreaterThan(lastQueued.rows[0]?.id ?? Number.NaN);
    });
  });
});

describe('a backup of a service that runs', async () => {
  const service = await startTestService({ own: true });
  const { ingest } = await (await service.signUp()).createProject();
  const url = await createNewDatabase();

  it('backs up a running service as of one moment, whatever is stored meanwhile', async () => {
    const ending = new AbortController();
    const sending = (async () => {
      let sent = 0;
      for (; !ending.signal.aborted; sent++) {
        await ingest.post('/ingest/events', { type: 'load', severity: 'INFO', message: `Number ${sent}` });
      }
      return sent;
    })();
    const backups = [];
    for (let count = 0; count < 5; count++) backups.push(await backUp(service.database.connectionString));
    ending.abort();
    expect(await sending).toBeGreaterThan(0);

    await restore(url, backups[3] as Buffer);
    const rows = await withPool(url, 'reader', async (pool) => {
      const result = await pool.query<{ stored: number; events: number; counted: number }>(
        `SELECT (SELECT sum(stored)::bigint FROM ledgers) AS stored, (SELECT count(*) FROM events) AS events,
          (SELECT sum(count)::bigint FROM event_counts) AS counted`,
      );
      return result.rows;
    });
    const events = rows[0]?.events;
    expect(events).toBeGreaterThan(0);
    expect(rows).toEqual([{ stored: events, events, counted: events }]);
  });

  it('lets others create partitions during a backup', async () => {
    const { connectionString, pool } = service.database;
    let made = 0;
    await backUp(connectionString, async () => {
      made = await ensurePartitions(pool, Date.parse('2031-01-01'), Date.parse('2031-03-01'));
    });
    expect(made).toBe(9);
  });
});
