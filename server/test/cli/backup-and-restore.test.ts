import { describe, expect, it } from 'vitest';
import { listColumns, listEventPartitions, listTables } from '../../src/backup/queries.ts';
import { BACKED_UP_TABLES, TRANSIENT_TABLES } from '../../src/backup/tables.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { fillDatabase, ODD_TEXTS } from './filled-database.ts';
import { backUp, createNewDatabase, openDatabase, readEverything, restore, withPool } from './support.ts';

describe('the list of tables that a backup holds', async () => {
  const { pool } = await createTestDatabase();

  it('names every table, but for those that are known to be transient', async () => {
    expect(await listTables(pool)).toEqual([...BACKED_UP_TABLES, ...TRANSIENT_TABLES].toSorted());
    expect((await listColumns(pool, BACKED_UP_TABLES)).map((table) => table.name)).toEqual(BACKED_UP_TABLES);
  });
});

describe('a backup of a service that was used', async () => {
  const source = await createTestDatabase();
  const { email, password, apiKey } = await fillDatabase(source);
  const before = await readEverything(source.connectionString);
  const lastQueued = await source.pool.query<{ id: number }>('SELECT max(id) AS id FROM queue');
  const bytes = await backUp(source.connectionString);

  const url = await createNewDatabase();
  const rows = await restore(url, bytes);
  const after = await readEverything(url);
  const target = openDatabase(url);
  const partitions = await listEventPartitions(target.pool);
  const service = await startTestService({ database: target });

  it.each(BACKED_UP_TABLES)('brings back %s row for row', (table) => {
    expect(before[table]?.length, 'rows that this test is about').toBeGreaterThan(0);
    expect(after[table]).toEqual(before[table]);
  });

  it('ends the sessions and invitations of a backup on request, holds its notifications, and changes nothing else', async () => {
    const other = await createNewDatabase();
    expect(await restore(other, bytes, 'end')).toBe(rows);
    const restored = await readEverything(other);
    const { deliveries, web_push_browsers: browsers, ...others } = restored;
    const { deliveries: unsent, web_push_browsers: notified, ...rest } = before;
    // Nothing is sent to them until their users log in there again.
    expect(browsers).toHaveLength(notified?.length ?? 0);
    expect(browsers).not.toEqual(notified);
    expect(others).toEqual({ ...rest, sessions: [], invitations: [] });
    expect(JSON.stringify(unsent)).toContain('pending');
    expect(deliveries).toHaveLength(unsent?.length ?? 0);
    expect(JSON.stringify(deliveries)).not.toContain('pending');
    expect(JSON.stringify(deliveries)).toContain('held');
  });

  it('prints how many rows were restored', () => {
    expect(rows).toBe(Object.values(before).reduce((sum, table) => sum + table.length, 0));
  });

  it('creates the partitions that restored events need', () => {
    expect(partitions.length).toBeGreaterThanOrEqual(13);
  });

  it('restores a database that the service continues with', async () => {
    const sent = await new ApiClient(service.ingestionUrl, { 'x-api-key': apiKey }).post('/ingest/events', {
      type: 'after',
      severity: 'INFO',
      message: 'After the restore',
    });
    expect(sent.status).toBe(202);
    await service.settled();

    const api = new ApiClient(service.managementUrl);
    expect((await api.post('/auth/login', { email, password })).status).toBe(200);
    const { body } = await api.get('/events?limit=500');
    const messages = body.map((event: { message: string }) => event.message);
    expect(messages).toEqual(
      expect.arrayContaining([...ODD_TEXTS, 'Old', 'Still in the queue', 'After the restore']),
    );
    const ledgers = await target.pool.query<{ difference: string }>(
      'SELECT sum(accepted - stored - duplicate - dead - dropped) AS difference FROM ledgers',
    );
    expect(Number(ledgers.rows[0]?.difference)).toBe(0);
  });

  it('lets the numbers of rows go on where they were', async () => {
    const next = await target.pool.query<{ id: number }>(
      `INSERT INTO queue (bytes, deltas, events) VALUES (2, '{}', '[]') RETURNING id`,
    );
    expect(next.rows[0]?.id).toBeGreaterThan(lastQueued.rows[0]?.id ?? Number.NaN);
  });
});

describe('a backup of a service that runs', async () => {
  const service = await startTestService({ own: true });
  const { ingest } = await (await service.signUp()).createProject();
  const url = await createNewDatabase();

  it('backs a running service up as of one moment, whatever is stored meanwhile', async () => {
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

  it('keeps nobody from making partitions', async () => {
    const { connectionString, pool } = service.database;
    let made = 0;
    await backUp(connectionString, async () => {
      made = await ensurePartitions(pool, Date.parse('2031-01-01'), Date.parse('2031-03-01'));
    });
    expect(made).toBe(9);
  });
});
