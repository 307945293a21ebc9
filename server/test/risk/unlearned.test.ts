import { randomUUID } from 'node:crypto';
import type { ProjectDetector } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { DetectorStore } from '../../src/risk/live/detector-store.ts';
import { loadDetectors } from '../../src/risk/live/journal.ts';
import { findProgress } from '../../src/risk/live/journal-queries.ts';
import { RiskWatch } from '../../src/risk/live/watch.ts';
import { Rebuilder } from '../../src/risk/rebuild/rebuilder.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { incidentsOf, insertHistory, insertInboxRow, passTime } from './support.ts';

const MINUTE_MS = 60_000;
const ORDERS = { type: 'order', severity: 'info', source: 'web' };
const USUAL = 30;

// In the middle of a minute: in the first second of one, the minute before is not over for the detectors.
const clock = new StillClock(middleOf(MINUTE_MS));
const service = await startTestService({ clock, roles: ['ingestion', 'management'] });
const { pool } = service.database;
const { log, metrics } = service.context;
const user = await service.signUp();
const random = new Random(1);
const startWatch = () =>
  new RiskWatch({
    pool,
    clock,
    log,
    metrics,
    holderId: randomUUID(),
    rebuilds: new Rebuilder({ pool, log }),
  });

async function lookAtAll(watch: RiskWatch): Promise<void> {
  while (await watch.runOnce());
}

/** Creates a project that was watched for a day. */
async function createWatched(watch: RiskWatch): Promise<string> {
  const { id } = await user.createProject();
  const counts = Array.from({ length: 24 * 60 }, () => random.poisson(USUAL));
  await insertHistory(service.database, { projectId: id, series: ORDERS, nowMs: clock.now(), counts });
  await lookAtAll(watch);
  return id;
}

/** Sends a number of orders a minute for some minutes. */
async function run(watch: RiskWatch, minutes: number, perMinute: ReadonlyMap<string, number>): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    const bucketMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const deltas = [...perMinute].map(([id, rate]) => ({
      projectId: toUuid('proj', id),
      ...ORDERS,
      bucketMs,
      count: random.poisson(rate),
      lastMs: clock.now(),
    }));
    await insertInboxRow(pool, deltas);
    await lookAtAll(watch);
    await passTime(service, clock, MINUTE_MS);
    await lookAtAll(watch);
  }
}

/** Returns the detector as a new leader loads it: from the saved state and the rounds since then. */
async function detectorOf(id: string): Promise<ProjectDetector> {
  const store = new DetectorStore(1_000_000);
  await loadDetectors(pool, store, await findProgress(pool), log);
  const detector = store.detectors.get(toUuid('proj', id) ?? '');
  if (!detector) throw new Error(`There is no detector of ${id}.`);
  return detector;
}

const rateOf = async (id: string) => {
  const watched = (await detectorOf(id)).describeSeries();
  return Number(watched.find(({ series }) => series.type === ORDERS.type)?.perMinute);
};

it('learns nothing from a load test silenced without learning, across a change of the worker, until the silence ends', {
  timeout: scaled(120_000),
}, async () => {
  const first = startWatch();
  const [tested, learning] = [await createWatched(first), await createWatched(first)];
  const [before, after] = [new Map<string, number>(), new Map<string, number>()];
  for (const id of [tested, learning]) {
    before.set(id, 30 * USUAL);
    after.set(id, USUAL);
  }
  const created = await user.api.post(`/projects/${tested}/silences`, { minutes: 120, learn: false });
  expect(created).toMatchObject({ status: 201, body: { learn: false } });
  await run(first, 20, before);
  expect(await incidentsOf(user, tested)).toMatchObject([{ status: 'open', evidence: { rule: 'rise' } }]);

  await pool.query('DELETE FROM leases');
  const second = startWatch();
  await run(second, 20, before);
  expect((await detectorOf(tested)).unlearned).toHaveLength(1);
  expect((await detectorOf(learning)).unlearned).toEqual([]);
  expect((await user.api.delete(`/silences/${created.body.id}`)).body.learn).toBe(false);
  await run(second, 2, after);
  expect(await incidentsOf(user, tested)).toMatchObject([{ status: 'resolved' }]);
  expect((await detectorOf(tested)).unlearned).toEqual([]);
  expect(Math.abs((await rateOf(tested)) / USUAL - 1)).toBeLessThan(0.2);
  expect((await rateOf(learning)) / USUAL).toBeGreaterThan(1.5);

  // Events after it are evaluated and learned.
  await run(second, 3, before);
  const [newest] = await incidentsOf(user, tested);
  expect(newest).toMatchObject({ status: 'open', evidence: { rule: 'rise' } });
});
