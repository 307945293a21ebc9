import { randomUUID } from 'node:crypto';
import { DETECTOR_VERSION, toBytes } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { DetectorStore } from '../../src/risk/live/detector-store.ts';
import { loadDetectors } from '../../src/risk/live/journal.ts';
import { findProgress } from '../../src/risk/live/journal-queries.ts';
import { RiskWatch } from '../../src/risk/live/watch.ts';
import { Rebuilder } from '../../src/risk/rebuild/rebuilder.ts';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { decisionsOf, incidentsOf, insertHistory, insertInboxRow, passTime } from './support.ts';

const MINUTE_MS = 60_000;
const ORDERS = { type: 'order', severity: 'info', source: 'web' };
const ERRORS = { type: 'checkout', severity: 'error', source: 'shop' };
/** Limit longer than any save takes. */
const LONG_MS = 60_000;

/** Starts a service without a worker: the test runs the rounds of detection one by one. */
async function startWithoutWorker() {
  const clock = new StillClock();
  const service = await startTestService({ clock, roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const { log, metrics } = service.context;
  const random = new Random(1);
  const count = async (projectId: string, series: typeof ORDERS, events: number) => {
    const bucketMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const delta = {
      projectId: toUuid('proj', projectId),
      ...series,
      bucketMs,
      count: events,
      lastMs: clock.now(),
    };
    if (events > 0) await insertInboxRow(pool, [delta]);
  };
  const lookAtAll = async (watch: RiskWatch) => {
    while (await watch.runOnce());
  };
  return {
    clock,
    service,
    pool,
    user: await service.signUp(),
    startWatch: () =>
      new RiskWatch({
        pool,
        clock,
        log,
        metrics,
        holderId: randomUUID(),
        rebuilds: new Rebuilder({ pool, log }),
      }),
    insertHistoryDay: async (projectId: string) => {
      const counts = Array.from({ length: 24 * 60 }, () => random.poisson(30));
      await insertHistory(service.database, { projectId, series: ORDERS, nowMs: clock.now(), counts });
    },
    lookAtAll,
    /** Sends orders for a number of minutes, and errors in each of them. */
    run: async (watch: RiskWatch, minutes: number, projects: { id: string; errors: number }[]) => {
      for (let minute = 0; minute < minutes; minute++) {
        for (const { id, errors } of projects) {
          await count(id, ORDERS, random.poisson(30));
          await count(id, ERRORS, errors);
        }
        await lookAtAll(watch);
        await passTime(service, clock, MINUTE_MS);
        await lookAtAll(watch);
      }
    },
    countRounds: async () => (await pool.query('SELECT FROM risk_rounds')).rowCount,
    /** Ends the lease, as if its holder had died and it had expired. */
    endLease: () => pool.query('DELETE FROM leases'),
    loadState: async () => {
      const store = new DetectorStore(1_000_000);
      await loadDetectors(pool, store, await findProgress(pool), log);
      const { detectors } = store;
      return new Map([...detectors].map(([id, detector]) => [id, Buffer.from(toBytes(detector.save()))]));
    },
  };
}

describe('the state of the detection', { timeout: scaled(60_000) }, async () => {
  const { pool, user, startWatch, insertHistoryDay, run, lookAtAll, countRounds, loadState } =
    await startWithoutWorker();
  const { id } = await user.createProject();

  it('leaves the detection state as rounds if saving takes too long at a stop', async () => {
    const watch = startWatch();
    await insertHistoryDay(id);
    await lookAtAll(watch);
    await run(watch, 3, [{ id, errors: 0 }]);
    await watch.resign(0);
    expect(await countRounds()).toBeGreaterThan(0);
    expect((await pool.query('SELECT FROM leases')).rowCount).toBe(0);
  });

  it('saves the detection state at a stop of the leading worker, as its rounds would make it', async () => {
    const watch = startWatch();
    await run(watch, 3, [{ id, errors: 60 }]);
    const live = await loadState();
    await watch.resign(LONG_MS);
    expect(await countRounds()).toBe(0);
    expect((await pool.query('SELECT FROM leases')).rowCount).toBe(0);
    expect(live.size).toBe(1);
    expect(await loadState()).toEqual(live);
  });

  it('does not let a replaced worker save the detection state', async () => {
    const [first, second] = [startWatch(), startWatch()];
    await run(first, 2, [{ id, errors: 0 }]);
    await pool.query('DELETE FROM leases');
    await run(second, 2, [{ id, errors: 0 }]);
    const [rounds, live] = [await countRounds(), await loadState()];
    await first.resign(LONG_MS);
    expect(await countRounds()).toBe(rounds);
    expect(await loadState()).toEqual(live);
    expect((await pool.query('SELECT FROM leases')).rowCount).toBe(1);
  });
});

describe('rounds of another version of the detector', { timeout: scaled(120_000) }, async () => {
  const version = String(DETECTOR_VERSION + 1);
  const { pool, user, startWatch, insertHistoryDay, run, lookAtAll, countRounds, endLease } =
    await startWithoutWorker();
  const [goingOn, over] = [(await user.createProject()).id, (await user.createProject()).id];
  const bothWith = (errors: number) => [goingOn, over].map((id) => ({ id, errors }));
  const numbersOf = async (projectId: string) => {
    const { rows } = await pool.query<{ number: number }>(
      'SELECT risk_number AS number FROM incidents WHERE project_id = $1 ORDER BY 1',
      [toUuid('proj', projectId)],
    );
    return rows.map(({ number }) => number);
  };

  it('goes on without rounds of another version: no silence, no second incident, and no number is used again', async () => {
    await insertHistoryDay(goingOn);
    await insertHistoryDay(over);
    const old = startWatch();
    await lookAtAll(old);
    await run(old, 3, bothWith(60));
    const [opened] = await incidentsOf(user, goingOn);
    expect(opened).toMatchObject({ status: 'open', evidence: { rule: 'rise' } });
    expect(await countRounds()).toBeGreaterThan(0);
    await pool.query(
      `UPDATE risk_rounds SET round = (round::jsonb || jsonb_build_object('version', $1::jsonb))::text`,
      [version],
    );
    await endLease();

    const watch = startWatch();
    await run(watch, 2, [
      { id: goingOn, errors: 60 },
      { id: over, errors: 0 },
    ]);
    const [same, ...others] = await incidentsOf(user, goingOn);
    expect(same).toMatchObject({ id: opened.id, status: 'open' });
    // Its events go on: counts come here without the events themselves.
    expect(same.updatedAt > opened.updatedAt).toBe(true);
    expect(others).toEqual([]);

    // Incidents of those rounds whose cause is over are resolved automatically.
    await run(watch, 40, bothWith(0));
    expect(await incidentsOf(user, over)).toMatchObject([{ status: 'resolved' }]);
    expect(await incidentsOf(user, goingOn)).toHaveLength(1);
    const decisions: { windowSeconds: number | null; observed: number; expected: number }[] =
      await decisionsOf(user, over);
    expect(
      decisions.filter(({ windowSeconds, observed, expected }) => windowSeconds && observed < expected),
    ).toEqual([]);

    await run(watch, 2, bothWith(90));
    expect(await numbersOf(over)).toEqual([1, 2]);
  });
});
