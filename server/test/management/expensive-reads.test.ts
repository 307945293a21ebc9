import { describe, expect, it } from 'vitest';
import { createPool } from '../../src/database/database.ts';
import { ExpensiveReads } from '../../src/database/expensive-reads.ts';
import { eventsOn } from '../../src/events/read/events-on.ts';
import { createFactsReader } from '../../src/incidents/groups/read-facts.ts';
import { findIncident } from '../../src/incidents/queries.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { ERRORS } from '../../src/roles/errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { waitFor } from '../support/wait.ts';

const stays = new AbortController().signal;

describe('an expensive read', async () => {
  const database = await createTestDatabase();
  const poolOf = (applicationName: string, statementTimeoutMs: number) =>
    createPool({
      connection: { connectionString: database.connectionString },
      applicationName,
      maxConnections: 2,
      statementTimeoutMs,
      onError: () => {},
    });
  const readsWith = (statementTimeoutMs: number, maxRunMs: number) => {
    const pool = poolOf('reads', statementTimeoutMs);
    return {
      reads: new ExpensiveReads(pool, database.pool, { maxRunMs, maxWaitMs: 50 }),
      end: () => pool.end(),
    };
  };
  const read = (signal: AbortSignal) => ({ organizationId: 'org', signal, subject: 'the events of June' });
  const running = async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'reads'
        AND state = 'active'`,
    );
    return rowCount ?? 0;
  };
  const minute = (query: { query: (text: string) => Promise<unknown> }) => query.query('SELECT pg_sleep(60)');

  it('cancels the statement of an expensive read when its client disconnects, and frees its place', async () => {
    const { reads, end } = readsWith(30_000, 30_000);
    const gone = new AbortController();
    const started = Array.from({ length: 2 }, () => reads.run(read(gone.signal), minute));
    const refused = started.map((promise) => expect(promise).rejects.toThrow('Gone.'));
    await waitFor('both to run', async () => (await running()) === 2);
    gone.abort(new Error('Gone.'));
    await Promise.all(refused);
    await waitFor('none to run', async () => (await running()) === 0);
    const { rows } = await reads.run(read(stays), (pool) => pool.query('SELECT 1 AS one'));
    expect(rows).toEqual([{ one: 1 }]);
    await end();
  });

  it.each([
    ['than it may', 30_000, 100],
    ['than one statement may', 100, 30_000],
  ])(
    'ends an expensive read that takes longer %s, and says what to narrow',
    async (_what, statementMs, runMs) => {
      const { reads, end } = readsWith(statementMs, runMs);
      await expect(reads.run(read(stays), minute)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('the events of June'),
        extras: { retryAfterSeconds: 30 },
      });
      await waitFor('none to run', async () => (await running()) === 0);
      await end();
    },
  );

  it('gives the advice of an expensive read that has no time range', async () => {
    const { reads, end } = readsWith(30_000, 100);
    const advised = { ...read(stays), subject: 'this rule’s past', advice: 'Try again later.' };
    await expect(reads.run(advised, minute)).rejects.toMatchObject({
      message: 'Searching this rule’s past takes too long. Try again later.',
    });
    await end();
  });

  it('refuses an expensive read that gets no place in time, with Retry-After', async () => {
    const { reads, end } = readsWith(30_000, 30_000);
    const gone = new AbortController();
    const started = Array.from({ length: 2 }, () => reads.run(read(gone.signal), minute));
    const ended = Promise.allSettled(started);
    await expect(reads.run(read(stays), minute)).rejects.toMatchObject({
      code: 'unavailable',
      extras: { retryAfterSeconds: 5 },
    });
    gone.abort(new Error('Gone.'));
    await ended;
    await end();
  });
});

describe('reads that hold up others', async () => {
  const service = await startTestService({
    roles: ['management'],
    environment: { DATABASE_POOL_SIZE: '10' },
  });
  const [user, other] = [await service.signUp(), await service.signUp()];
  await user.createProject();
  const { pool } = service.database;
  /** Runs `work` while no query on the table can end. */
  const whileLocked = async (table: 'event_counts' | 'events', work: () => Promise<void>) => {
    const client = await beginHeldTransaction(pool);
    try {
      await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  const running = async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tocsin-reads'
        AND wait_event_type = 'Lock'`,
    );
    return rowCount ?? 0;
  };
  const histogram = (cookie: string | null, signal?: AbortSignal) =>
    fetch(`${service.managementUrl}/events/histogram?type=a`, {
      headers: { cookie: cookie ?? '' },
      ...(signal && { signal }),
    });

  it('answers without the facts of an incident where its events are read too slowly', async () => {
    const project = await user.createProject();
    const id = await insertRiskIncident(pool, project, { fromMs: service.context.clock.now() });
    const [organizationId, uuid] = [toUuid('org', user.organizationId), toUuid('inc', id)];
    const incident = await findIncident(pool, organizationId ?? '', uuid ?? '');
    const reads = new ExpensiveReads(pool, pool);
    const read = async (waitFactor: number) =>
      incident &&
      createFactsReader({ reads, events: { on: eventsOn }, log: service.context.log, waitFactor })(incident);
    await whileLocked('events', async () => expect(await read(0.05)).toBeNull());
    expect(await read(service.context.waitFactor)).toMatchObject({ users: { count: 0 }, newestEvent: null });
  });

  it('runs two expensive reads of an organization while 16 wait, and lets other requests through', async () => {
    await whileLocked('event_counts', async () => {
      const gone = new AbortController();
      const answers = Array.from({ length: 24 }, () => histogram(user.api.cookie, gone.signal));
      const statuses = answers.map((answer) => answer.then(({ status }) => status));
      const all = Promise.allSettled(statuses);
      // All but 2 + 16 are refused at once.
      let refused = 0;
      for (const status of statuses)
        void status.then(
          (code) => (refused += code === 503 ? 1 : 0),
          () => {},
        );
      await waitFor('those without a place to be refused', () => refused >= 6);
      await waitFor('two to run', async () => (await running()) === 2);
      for (const address of ['/auth/me', '/events', '/projects', '/incidents'])
        expect((await user.api.get(address)).status, address).toBe(200);
      const others = histogram(other.api.cookie, gone.signal).catch(() => null);
      await waitFor('a read of another organization to run', async () => (await running()) === 3);
      gone.abort();
      await Promise.all([all, others]);
      await waitFor('no read to run for clients that have gone', async () => (await running()) === 0);
    });
    const { status } = await histogram(user.api.cookie);
    expect(status).toBe(200);
  });

  it('names the range to narrow in the refusal of an expensive read', async () => {
    await whileLocked('event_counts', async () => {
      const gone = new AbortController();
      const waiting = Array.from({ length: 18 }, () =>
        histogram(user.api.cookie, gone.signal).catch(() => null),
      );
      await waitFor('two to run', async () => (await running()) === 2);
      const address = '/events/top?by=type&from=2026-06-01&to=2026-06-02T12:00Z';
      const answer = await waitFor('a refusal', async () => {
        const one = await user.api.get(address);
        return one.status === 503 && one;
      });
      expectProblem(answer, 'unavailable');
      expect(answer.body.detail).toContain('the events from 2026-06-01 00:00 UTC to 2026-06-02 12:00 UTC');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(ERRORS.unavailable.status).toBe(503);
      gone.abort();
      await Promise.all(waiting);
    });
  });
});

describe('a search for words', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const project = await user.createProject();
  await storeEvents(service.database.pool, project, {
    count: 1,
    firstMs: service.context.clock.now() - 60_000,
    message: `repeat('ä', 1990) || ' inside ' || repeat('b', 100) || ' outside'`,
  });
  const found = async (q: string) => (await user.api.get(`/events?q=${encodeURIComponent(q)}`)).body.length;

  it('searches the first 2,000 characters of each message', async () => {
    expect(await found('inside')).toBe(1);
    expect(await found('outside')).toBe(0);
  });

  it('accepts at most 8 words of 50 characters each in a search', async () => {
    expect(await found(Array.from({ length: 8 }, () => 'ä'.repeat(50)).join(' '))).toBe(1);
    for (const q of ['a b c d e f g h i', 'a'.repeat(51), `a ${'b'.repeat(51)}`]) {
      for (const address of ['/events?', '/events/histogram?', '/events/top?by=type&']) {
        expectInvalid(await user.api.get(`${address}q=${encodeURIComponent(q)}`), '/q');
      }
    }
  });
});
