import { copyFile, readdir, rm } from 'node:fs/promises';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../src/database/connection-error.ts';
import { KeyUsage } from '../../src/ingestion/authentication/key-usage.ts';
import { Intake } from '../../src/ingestion/intake/intake.ts';
import { ItemCounts } from '../../src/ingestion/intake/item-counts.ts';
import { createIntakeMetrics } from '../../src/ingestion/intake/metrics.ts';
import { acceptOrSpool, toSpoolClaim } from '../../src/ingestion/spool/accept-or-spool.ts';
import { drainSegment, toBatches } from '../../src/ingestion/spool/drain.ts';
import { Outage } from '../../src/ingestion/spool/outage.ts';
import { Spool } from '../../src/ingestion/spool/spool.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/durations.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { upsertLiveness } from '../../src/queue/liveness-queries.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import type { IntakeQueue } from '../../src/queue/queue.ts';
import type { ReportedStatus } from '../../src/schedules/schedule-state.ts';
import type { DeclaredSchedule } from '../../src/schedules/schema.ts';
import { aQueuedEvent, NO_EVENTS, processed, uuidOf } from '../processing/support.ts';
import { queueEmptied } from '../risk/support.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService, type TestProject } from '../support/service.ts';

/** `lost`: no statement arrives; `unanswered`: it takes place, and its answer is lost. */
type Database = 'there' | 'lost' | 'unanswered';

describe('the spool of ingestion', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  async function start(project: TestProject) {
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM api_keys WHERE project_id = $1', [
      uuidOf(project.id),
    ]);
    const owner = { keyId: rows[0]?.id ?? '', projectId: uuidOf(project.id) };
    const directory = await makeScratchDirectory();
    let nowMs = 100_000;
    let database: Database = 'there';
    const clock = new TestClock();
    const monotonicMs = () => nowMs;
    const stored = createPostgresQueue({ pool, clock });
    const lost = () => new ConnectionError(new Error('Connection terminated'));
    const reached: IntakeQueue = {
      append: async (items) => {
        if (database === 'lost') throw lost();
        const results = await stored.append(items);
        if (database === 'unanswered') throw lost();
        return results;
      },
    };
    const outage = new Outage({ monotonicMs, findOutage: () => null });
    const spool = new Spool({ directory, clock, readFreeBytes: async () => Number.MAX_SAFE_INTEGER });
    const intake = new Intake(outage.observe(reached), createIntakeMetrics([]), { monotonicMs });
    const scrubSettingsOf = () => undefined;
    const counts = new ItemCounts();
    const spooling = { spool, outage };
    const dependencies = { intake, usage: new KeyUsage(), clock, scrubSettingsOf, spooling };
    onTestFinished(async () => {
      await spool.close();
      await rm(directory, { recursive: true });
    });
    const send = async (claimKey: string | null, spoolAfterMs = 0) => {
      const event = aQueuedEvent(project.id);
      await acceptOrSpool(
        dependencies,
        { owner, connection: { destroyed: false } },
        {
          events: [JSON.stringify(event)],
          claim: claimKey === null ? null : { key: claimKey, jobId: event.id, answer: null },
          eventId: event.id,
          receivedAtMs: clock.now(),
          spoolAfterMs,
        },
      );
      return event.id;
    };
    const drain = () =>
      drainSegment(
        {
          spool,
          queue: stored,
          pool,
          clock,
          log: createLog('silent'),
          counts,
          countLive: () => 0,
          onCommit: () => outage.end(),
        },
        new AbortController().signal,
      );
    /** Drains, and once more with the files as they were: a crash before they were removed. */
    const drainTwice = async () => {
      const segment = await spool.oldest();
      if (!segment) throw new Error('Nothing waits.');
      await copyFile(segment.path, `${segment.path}.copy`);
      await drain();
      await copyFile(`${segment.path}.copy`, segment.path);
      await rm(`${segment.path}.copy`);
      spool.adopt([segment]);
      await drain();
    };
    /** Keeps a check-in on disk that was received so long ago. */
    const keep = (
      status: ReportedStatus,
      agoMs: number,
      declared: DeclaredSchedule | null = { intervalSeconds: 3_600 },
    ) => {
      const receivedMs = clock.now() - agoMs;
      const claim = toSpoolClaim(newUuid(receivedMs), receivedMs);
      const checkIn = { slug: 'hourly', status, runId: null, declared };
      const item = { ...owner, events: [], claim };
      return spool.append({ receivedAt: new Date(receivedMs).toISOString(), item, checkIn });
    };
    /** Counts of what is not stored, as the ledger shows them. */
    const readUnstored = async () => {
      await counts.flush(pool);
      return (await user.api.get(`/projects/${project.id}/ledger`)).body.unstored;
    };
    return {
      owner,
      keep,
      readUnstored,
      clock,
      spool,
      outage,
      send,
      drain,
      drainTwice,
      be: (next: Database) => void (database = next),
      pass: (ms: number) => void (nowMs += ms),
    };
  }

  const ledgerOf = async (project: TestProject) => {
    await processed(service);
    return (await user.api.get(`/projects/${project.id}/ledger`)).body;
  };
  const idsIn = async (project: TestProject): Promise<string[]> => {
    const { body } = await user.api.get(`/events?project_id=${project.id}&limit=500`);
    return body.map(({ id }: { id: string }) => toUuid('evt', id)).toSorted();
  };

  it('stores what it kept once the database is back, each event once, and counts it as accepted', async () => {
    const project = await user.createProject();
    const { send, be, drain, spool, outage } = await start(project);
    const sent = [await send('a')];
    be('lost');
    for (const claim of ['b', 'c', null]) sent.push(await send(claim));
    expect(spool.waiting.events).toBe(3);
    expect(await drain()).toBe(true);
    expect(outage.durationMs).toBeNull();
    expect(await drain()).toBe(false);
    expect(spool.waiting).toEqual({ events: 0, bytes: 0 });
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 4, stored: 4 });
    expect(await idsIn(project)).toEqual(sent.toSorted());
  });

  it('says in the ledger how many events wait on disk, as the sum over all processes that run', async () => {
    const [project, other] = [await user.createProject(), await user.createProject()];
    const first = await start(project);
    const [second, elsewhere] = [await start(project), await start(other)];
    for (const { send } of [first, second, elsewhere]) await send(null);
    for (const { be, send } of [first, first, second, elsewhere]) {
      be('lost');
      await send(null);
    }
    const report = async (processId: string, { spool, clock }: typeof first) =>
      upsertLiveness(pool, processId, new Date(clock.now()), {
        onDisk: spool.countByProject(),
        hasSpooled: true,
      });
    const processIds = [first, second, elsewhere].map(({ clock }) => newUuid(clock.now()));
    for (const [index, each] of [first, second, elsewhere].entries())
      await report(processIds[index] ?? '', each);
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 2, onDisk: 3 });
    await first.drain();
    await report(processIds[0] ?? '', first);
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 4, stored: 4, onDisk: 1 });
    expect(await ledgerOf(other)).toEqual({ ...NO_EVENTS, accepted: 1, stored: 1, onDisk: 1 });
  });

  it('stores and counts nothing again that was committed while only the answer was lost', async () => {
    const project = await user.createProject();
    const { send, be, drain } = await start(project);
    const sent = [await send('a')];
    be('unanswered');
    sent.push(await send('b'));
    be('there');
    await drain();
    be('unanswered');
    sent.push(await send(null));
    be('there');
    await drain();
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 3 });
    expect(await idsIn(project)).toEqual(sent.toSorted());
  });

  it('stores each event once if it drains a file again after a crash', async () => {
    const project = await user.createProject();
    const { send, be, drainTwice, spool } = await start(project);
    await send('a');
    be('lost');
    for (let count = 0; count < 300; count++) await send(null);
    await drainTwice();
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 301, stored: 301 });
    expect(await idsIn(project)).toHaveLength(301);
    expect(await readdir(spool.folder ?? '')).toEqual(['owner']);
  });

  it('refuses an event whose key was not seen to be valid within five seconds before the loss', async () => {
    const { send, be, pass, spool } = await start(await user.createProject());
    be('lost');
    await expect(send('a')).rejects.toMatchObject({ code: 'unavailable' });
    be('there');
    await send('b');
    pass(5_001);
    be('lost');
    await expect(send('c')).rejects.toMatchObject({ code: 'unavailable' });
    expect(spool.waiting.events).toBe(0);
    be('there');
    await send('d');
    pass(4_999);
    be('lost');
    await send('e');
    pass(DAY_MS);
    await send('f');
    expect(spool.waiting.events).toBe(2);
  });

  it('keeps the second event of an outage without asking the database', async () => {
    const { send, be, spool, owner } = await start(await user.createProject());
    await send('a');
    be('lost');
    await send('b');
    be('unanswered');
    await send('c');
    expect(spool.waiting.events).toBe(2);
    const { rowCount } = await pool.query("SELECT FROM claims WHERE key = 'c' AND project_id = $1", [
      owner.projectId,
    ]);
    expect(rowCount).toBe(0);
  });

  it('keeps events of a protocol only after the outage has lasted as long as the protocol asks', async () => {
    const { send, be, pass, spool } = await start(await user.createProject());
    await send('a');
    be('lost');
    await expect(send('b', 5_000)).rejects.toMatchObject({ code: 'unavailable' });
    pass(5_000);
    await send('b', 5_000);
    expect(spool.waiting.events).toBe(1);
  });

  it('drops an event whose key was revoked before it is drained, and counts it once', async () => {
    const project = await user.createProject();
    const { send, be, drainTwice, owner } = await start(project);
    await send('a');
    be('lost');
    await send('b');
    await send('c');
    await pool.query('DELETE FROM api_keys WHERE id = $1', [owner.keyId]);
    await drainTwice();
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 1, dropped: 2 });
  });

  it('makes an event that waited for more than twelve hours a dead letter with its reason, and counts it once', async () => {
    const project = await user.createProject();
    const { send, be, clock, drainTwice } = await start(project);
    await send('a');
    be('lost');
    const old = await send('b');
    clock.advance(12 * HOUR_MS);
    const late = await send('c');
    clock.advance(1);
    await drainTwice();
    expect(await ledgerOf(project)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 2, dead: 1 });
    const { rows } = await pool.query('SELECT id, reason FROM dead_letters WHERE project_id = $1', [
      uuidOf(project.id),
    ]);
    expect(rows).toEqual([{ id: old, reason: expect.stringContaining('longer than 12 hours') }]);
    expect(await idsIn(project)).toContain(late);
  });

  it('drops the events of a deleted project, whatever their age', async () => {
    const project = await user.createProject();
    const { send, be, clock, drain } = await start(project);
    await send('a');
    // Otherwise the worker drops it as well.
    await queueEmptied(service);
    be('lost');
    await send('b');
    clock.advance(13 * HOUR_MS);
    await send('c');
    expect((await user.api.delete(`/projects/${project.id}`)).status).toBe(204);
    await drain();
    const { rows } = await pool.query('SELECT dropped, dead FROM ledgers WHERE project_id = $1', [
      uuidOf(project.id),
    ]);
    expect(rows).toEqual([{ dropped: 2, dead: 0 }]);
  });

  it('records a check-in once if it drains a file again after a crash, and none of a key that was revoked', async () => {
    const project = await user.createProject();
    const { keep, drainTwice, owner, readUnstored } = await start(project);
    await keep('error', 0);
    await drainTwice();
    const [schedule] = (await user.api.get(`/projects/${project.id}/schedules`)).body;
    const path = `/projects/${project.id}/schedules/${schedule.id}`;
    expect((await user.api.get(`${path}/check-ins`)).body).toHaveLength(1);
    expect((await user.api.get(path)).body).toMatchObject({ status: 'failing', lastStatus: 'error' });
    await pool.query('DELETE FROM api_keys WHERE id = $1', [owner.keyId]);
    await keep('ok', 0);
    await drainTwice();
    expect((await user.api.get(`${path}/check-ins`)).body).toHaveLength(1);
    expect(await readUnstored()).toEqual([]);
  });

  it('counts a check-in that is refused once it is drained', async () => {
    const project = await user.createProject();
    const { keep, drain, readUnstored } = await start(project);
    await keep('ok', 0, null);
    await drain();
    expect(await readUnstored()).toEqual([{ kind: 'monitor', reason: 'undeclared', quantity: 1 }]);
  });

  it('lets a check-in that waited change no state that later ones made, and shows it in their history', async () => {
    const project = await user.createProject();
    const { keep, drain } = await start(project);
    const schedule = { intervalSeconds: 3_600 };
    const { scheduleId } = (await project.ingest.post('/ingest/check-ins/hourly', { schedule })).body;
    const path = `/projects/${project.id}/schedules/${scheduleId}`;
    const before = (await user.api.get(path)).body;
    await keep('in_progress', MINUTE_MS);
    await keep('error', MINUTE_MS);
    await drain();
    expect((await user.api.get(path)).body).toEqual(before);
    const { body } = await user.api.get(`${path}/check-ins`);
    expect(body.map(({ status }: { status: string }) => status)).toEqual(['ok', 'error']);
  });

  it('does not miss a check-in again that was missed while an earlier one waited', async () => {
    const project = await user.createProject();
    const { keep, drain } = await start(project);
    const schedule = { intervalSeconds: 3_600 };
    const { scheduleId } = (await project.ingest.post('/ingest/check-ins/hourly', { schedule })).body;
    const path = `/projects/${project.id}/schedules/${scheduleId}`;
    await pool.query(
      `UPDATE schedules SET last_check_in_at = last_check_in_at - interval '4 hours' WHERE id = $1`,
      [toUuid('sch', scheduleId)],
    );
    const { nextDueAt } = (await user.api.get(path)).body;
    await keep('error', 3 * HOUR_MS);
    await drain();
    expect((await user.api.get(path)).body).toMatchObject({ lastStatus: 'error', nextDueAt });
    expect((await user.api.get(`${path}/check-ins`)).body).toHaveLength(2);
  });

  it('drains projects in turn', async () => {
    const recordOf = (projectId: string, event: string) => ({
      receivedAt: '',
      item: { projectId, keyId: '', events: [event], claim: { key: event, jobId: newUuid(0), answer: null } },
    });
    const records = [
      ...Array.from({ length: 400 }, (_, index) => recordOf('a', `a${index}`)),
      recordOf('b', 'b0'),
      recordOf('b', 'b1'),
    ];
    const batches = toBatches(records).map((batch) => batch.flatMap(({ item }) => item.events));
    expect(batches.map(({ length }) => length)).toEqual([256, 146]);
    expect(batches[0]?.slice(0, 5)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
    expect(batches[1]?.at(-1)).toBe('a399');
  });
});
