import { expect, it } from 'vitest';
import type { Queryable } from '../../src/database/database.ts';
import { KeyUsage } from '../../src/ingestion/authentication/key-usage.ts';
import { acceptAll } from '../../src/ingestion/cloudevents/accept-all.ts';
import { Intake } from '../../src/ingestion/intake/intake.ts';
import { ItemCounts } from '../../src/ingestion/intake/item-counts.ts';
import { OPEN } from '../../src/ingestion/intake/testing.ts';
import { Quotas } from '../../src/ingestion/quotas/quotas.ts';
import { type Clock, SettableClock } from '../../src/platform/clock.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import type { IntakeItem } from '../../src/queue/queue.ts';
import { createMetrics } from '../../src/roles/metrics.ts';
import { NO_QUOTA, type Quota } from '../../src/tenancy/api-keys/quota.ts';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';

const service = await startTestService();
const { pool } = service.database;
const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 10, 21, 9, 32);
const FIRST = { key: 'k', jobId: '0190a000-0000-7000-8000-000000000000', answer: null };

/** A project with a quota, and processes that share it. */
async function setUp(quota: Partial<Quota>, clock: Clock = new StillClock(NOW)) {
  const user = await service.signUp();
  const project = await user.createProject();
  await user.api.patch(`/projects/${project.id}/quotas`, quota);
  const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
  const owner = {
    projectId: toUuid('proj', project.id) ?? '',
    keyId: toUuid('key', key.id) ?? '',
    browser: null,
  };
  let monotonicMs = 0;
  let failure: Error | null = null;
  let queries = 0;
  let isLost = false;
  /** Resolves when the database answers again. */
  let hanging: Promise<void> = Promise.resolve();
  // The queries that a process makes of its pool.
  const query = (...args: Parameters<Queryable['query']>) => {
    queries++;
    return failure ? Promise.reject(failure) : hanging.then(() => pool.query(...args));
  };
  const counted = Object.assign(Object.create(pool), { query });
  return {
    user,
    project,
    key,
    owner,
    startProcess: async (maxAnswerMs = scaled(30_000)) => {
      const quotas = new Quotas({
        pool: counted,
        processId: newUuid(NOW),
        clock,
        monotonicMs: () => monotonicMs,
        counts: new ItemCounts(),
        isLost: () => isLost,
        maxAnswerMs,
      });
      await quotas.load(pool);
      return quotas;
    },
    /** Takes events until a process refuses some. @returns the number that it took */
    takeAll: async (quotas: Quotas, size = 1) => {
      for (let sum = 0; ; ) {
        const { events, refusal } = await quotas.take(owner, size, null);
        sum += events;
        if (refusal) return sum;
      }
    },
    /** Lets time pass, after which a process asks again for what is used up. */
    wait: (ms: number) => void (monotonicMs += ms),
    fail: (error: Error | null) => void (failure = error),
    lose: (lost: boolean) => void (isLost = lost),
    /** @returns the function by which the database answers again */
    hang: () => {
      let resume = () => {};
      hanging = new Promise((resolve) => (resume = resolve));
      return resume;
    },
    countQueries: () => queries,
  };
}

it.each([
  [1, 1],
  [10, 1],
  [100, 7],
  [1_000, 7],
  [100_000, 997],
])('lets three processes together accept %d events in a window, in requests of %d', async (limit, size) => {
  const { startProcess, takeAll } = await setUp({ per5Minutes: limit });
  const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
  const sums = await Promise.all(processes.map((quotas) => takeAll(quotas, size)));
  const accepted = sums.reduce((sum, events) => sum + events, 0);
  expect(accepted).toBeLessThanOrEqual(limit);
  expect(accepted).toBeGreaterThanOrEqual(limit * 0.99);
});

it('keeps what it asked for until the request that waits for it takes it, whenever it reports', async () => {
  const { owner, startProcess } = await setUp({ per5Minutes: 3 });
  const quotas = await startProcess();
  const taken = quotas.take(owner, 5, null);
  // The report waits for the same answer, and comes first.
  const reported = quotas.flush();
  expect((await taken).events).toBe(3);
  await reported;
});

it('asks the database once for some hundred events of a limit', async () => {
  const { startProcess, takeAll, countQueries } = await setUp({ per5Minutes: 100_000 });
  const quotas = await startProcess();
  expect(await takeAll(quotas)).toBe(100_000);
  expect(countQueries()).toBeLessThan(250);
});

it('asks the database once for all requests that wait at the same moment', async () => {
  const { owner, startProcess, countQueries } = await setUp({ per5Minutes: 50 });
  const quotas = await startProcess();
  const taken = await Promise.all(Array.from({ length: 60 }, () => quotas.take(owner, 1, null)));
  expect(taken.filter(({ refusal }) => refusal)).toHaveLength(10);
  expect(countQueries()).toBeLessThan(6);
});

it('loses no more than a hundredth of a limit with processes that are killed', async () => {
  const { owner, startProcess, takeAll } = await setUp({ per5Minutes: 10_000 });
  for (let killed = 0; killed < 10; killed++) await (await startProcess()).take(owner, 1, null);
  const last = await takeAll(await startProcess(), 20);
  expect(last + 10).toBeLessThanOrEqual(10_000);
  expect(last + 10).toBeGreaterThanOrEqual(9_900);
});

it('asks once for many events again soon after processes were killed', async () => {
  const clock = new StillClock(NOW);
  const { owner, startProcess, countQueries } = await setUp({ per5Minutes: 100_000 }, clock);
  for (let killed = 0; killed < 3; killed++) await (await startProcess()).take(owner, 1, null);
  clock.advance(31_000);
  const quotas = await startProcess();
  const before = countQueries();
  for (let count = 0; count < 400; count++) await quotas.take(owner, 1, null);
  expect(countQueries() - before).toBeLessThan(5);
});

it('gives what a process holds and does not use to the others', async () => {
  const { owner, startProcess, takeAll, wait } = await setUp({ per5Minutes: 10_000 });
  const [idle, busy] = [await startProcess(), await startProcess()];
  await idle.take(owner, 1, null);
  expect(await takeAll(busy)).toBeLessThan(9_999);
  // Once it was used since the last report, and then not.
  await idle.flush();
  await idle.flush();
  const before = await busy.take(owner, 1, null);
  expect(before.events).toBe(0);
  wait(1_000);
  expect((await busy.take(owner, 1, null)).events).toBe(1);
});

it('gives all that a process holds back when it ends', async () => {
  const { owner, startProcess, takeAll } = await setUp({ per5Minutes: 10_000 });
  const quotas = await startProcess();
  await quotas.take(owner, 1, null);
  await quotas.flush(true);
  expect(await takeAll(await startProcess())).toBe(9_999);
});

it('gives back what a process got in advance with events that it owed when it ends', async () => {
  const { owner, startProcess, takeAll, lose } = await setUp({ per5Minutes: 10_000 });
  const quotas = await startProcess();
  lose(true);
  await quotas.take(owner, 10, null);
  lose(false);
  await quotas.flush(true);
  expect(await takeAll(await startProcess(), 10)).toBe(9_990);
});

it('gives events back that were not added, or repeat others', async () => {
  const { owner, startProcess } = await setUp({ per5Minutes: 2 });
  const quotas = await startProcess();
  const failed = await quotas.take(owner, 2, null);
  await expect(failed.settle(2, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  const repeat = await quotas.take(owner, 2, null);
  await repeat.settle(2, async () => ({ key: 'k', jobId: newUuid(NOW), answer: null }));
  const added = await quotas.take(owner, 2, null);
  await added.settle(2, async () => null);
  expect([failed.events, repeat.events, added.events]).toEqual([2, 2, 2]);
  expect((await quotas.take(owner, 1, null)).events).toBe(0);
});

/** Sends a batch of CloudEvents to a queue that knows repeats, and fails while `lost` is set. */
function createBatches(owner: Parameters<Quotas['take']>[0], quotas: Quotas) {
  const known = new Map<string, string>();
  const state = { lost: false, known };
  const append = async (items: IntakeItem[]) => {
    if (state.lost) throw new Error('lost');
    return items.map(({ claim }) => {
      if (!claim || known.has(claim.key)) return { status: 'repeated' as const, claim: claim ?? FIRST };
      known.set(claim.key, claim.jobId);
      return { status: 'queued' as const };
    });
  };
  const dependencies = {
    quotas,
    intake: new Intake({ append }, createMetrics()),
    usage: new KeyUsage(),
    clock: new StillClock(NOW),
    scrubSettingsOf: () => undefined,
  };
  const send = (count: number) => {
    const events = Array.from({ length: count }, (_, index) => ({
      text: '{}',
      claim: { ...FIRST, key: String(index) },
    }));
    return acceptAll(dependencies, { owner, connection: OPEN }, events);
  };
  return Object.assign(state, { send });
}

it('gets a batch through that is larger than the limit of a window, in the windows that follow', async () => {
  const clock = new StillClock(NOW);
  const { owner, startProcess } = await setUp({ per5Minutes: 100 }, clock);
  const batches = createBatches(owner, await startProcess());
  for (const stored of [100, 200]) {
    await expect(batches.send(250)).rejects.toMatchObject({ scope: 'project' });
    expect(batches.known.size).toBe(stored);
    clock.advance(5 * MINUTE_MS);
  }
  expect(await batches.send(250)).toBe(FIRST.jobId);
  expect(batches.known.size).toBe(250);
});

it('gives all events of a batch back whose first ones fail', async () => {
  const { owner, startProcess } = await setUp({ per5Minutes: 200 });
  const batches = createBatches(owner, await startProcess());
  batches.lost = true;
  await expect(batches.send(200)).rejects.toThrow();
  batches.lost = false;
  expect(await batches.send(200)).toBe(FIRST.jobId);
});

it('takes from the quota of a key and of its project what both have left', async () => {
  const { user, project, key, owner, startProcess } = await setUp({ perHour: 100 });
  await user.api.patch(`/api-keys/${key.id}/quota`, { perDay: 30 });
  const { body: other } = await user.api.post(`/projects/${project.id}/api-keys`, {});
  const quotas = await startProcess();
  const first = await quotas.take(owner, 50, null);
  expect([first.events, first.refusal?.scope]).toEqual([30, 'key']);
  const ofOther = { ...owner, keyId: toUuid('key', other.id) ?? '' };
  const second = await quotas.take(ofOther, 100, null);
  expect([second.events, second.refusal?.scope]).toEqual([70, 'project']);
});

it('opens the next window at its time, and says exactly when that is', async () => {
  const clock = new StillClock(NOW);
  const { owner, startProcess, takeAll } = await setUp({ per5Minutes: 10, perHour: 15 }, clock);
  const [first, second] = [await startProcess(), await startProcess()];
  expect(await takeAll(first)).toBe(10);
  const { refusal } = await second.take(owner, 1, null);
  expect(refusal?.retryAfterSeconds).toBe(180);
  expect(refusal?.message).toContain('10 events in 5 minutes');
  expect(refusal?.message).toContain('2026-11-21T09:35:00.000Z');
  clock.advance(180_000 - 1);
  expect((await second.take(owner, 1, null)).refusal?.retryAfterSeconds).toBe(1);
  clock.advance(1);
  expect((await takeAll(first)) + (await takeAll(second))).toBe(5);
  expect((await second.take(owner, 1, null)).refusal?.retryAfterSeconds).toBe(25 * 60);
});

it('opens no second budget for a clock that leaps ahead, and none again for one that is set back', async () => {
  let [wallMs, monotonicMs] = [NOW, 0];
  const pass = (ms: number) => {
    wallMs += ms;
    monotonicMs += ms;
  };
  const clock = new SettableClock(
    () => wallMs,
    () => monotonicMs,
  );
  const { owner, startProcess, takeAll } = await setUp({ perHour: 10 }, clock);
  const quotas = await startProcess();
  expect(await takeAll(quotas)).toBe(10);
  wallMs += 2 * 60 * MINUTE_MS;
  for (let seconds = 0; seconds < 50; seconds += 10) {
    expect((await quotas.take(owner, 1, null)).events).toBe(0);
    pass(10_000);
  }
  // The clock stays ahead: it was behind before.
  pass(20_000);
  expect(await takeAll(quotas)).toBe(10);
  wallMs -= 2 * 60 * MINUTE_MS;
  expect(await takeAll(quotas)).toBe(0);
  expect(await takeAll(await startProcess())).toBe(0);
  wallMs += 2 * 60 * MINUTE_MS;
  pass(1);
  expect(await takeAll(await startProcess())).toBe(0);
});

it('lets events pass while the database does not answer, and counts them afterwards', async () => {
  const { owner, startProcess, takeAll, fail, wait } = await setUp({ per5Minutes: 100 });
  const quotas = await startProcess();
  fail(new Error('no database'));
  for (let count = 0; count < 40; count++) expect((await quotas.take(owner, 1, null)).events).toBe(1);
  await expect(quotas.flush()).rejects.toThrow('no database');
  fail(null);
  await quotas.flush();
  wait(1_000);
  const [other, own] = [await takeAll(await startProcess(), 10), await takeAll(quotas, 10)];
  expect(other + own).toBe(60);
});

it('lets events pass soon while the database hangs, and counts them once it answers', async () => {
  const { owner, startProcess, takeAll, hang, wait } = await setUp({ per5Minutes: 100 });
  const quotas = await startProcess(1);
  const resume = hang();
  // The second one waits for a question after the one in progress.
  for (let count = 0; count < 4; count++) {
    expect((await quotas.take(owner, 10, null)).events).toBe(10);
    wait(1_000);
  }
  resume();
  await quotas.flush();
  wait(1_000);
  const patient = await startProcess();
  expect(await takeAll(patient, 10)).toBe(60);
});

it('does not ask a database that is known to be lost, and counts the events afterwards', async () => {
  const { owner, startProcess, takeAll, lose, wait, countQueries } = await setUp({ per5Minutes: 100 });
  const quotas = await startProcess();
  lose(true);
  for (let count = 0; count < 4; count++) {
    expect((await quotas.take(owner, 10, null)).events).toBe(10);
    wait(1_000);
  }
  expect(countQueries()).toBe(0);
  lose(false);
  await quotas.flush();
  expect(await takeAll(await startProcess(), 10)).toBe(60);
});

it('applies a changed quota to the window in progress, and none once it is switched off', async () => {
  const { user, project, owner, startProcess, takeAll, wait } = await setUp({ per5Minutes: 10 });
  const quotas = await startProcess();
  expect(await takeAll(quotas)).toBe(10);
  await user.api.patch(`/projects/${project.id}/quotas`, { per5Minutes: 25 });
  await quotas.load(pool);
  wait(1_000);
  expect(await takeAll(quotas)).toBe(15);
  await user.api.patch(`/projects/${project.id}/quotas`, NO_QUOTA);
  await quotas.load(pool);
  expect((await quotas.take(owner, 1_000, null)).events).toBe(1_000);
});

it('limits a key for browsers to 3,000 events in 5 minutes, unless another quota is chosen', async () => {
  const { user, project, owner, startProcess } = await setUp({});
  const { body: key } = await user.api.post(`/projects/${project.id}/api-keys`, { use: 'browser' });
  const ofPage = { ...owner, keyId: toUuid('key', key.id) ?? '', browser: { origins: [] } };
  const quotas = await startProcess();
  expect([quotas.isLimited(owner), quotas.isLimited(ofPage)]).toEqual([false, true]);
  expect((await quotas.take(ofPage, 5_000, null)).events).toBe(3_000);
  await user.api.patch(`/api-keys/${key.id}/quota`, { per5Minutes: null });
  await quotas.load(pool);
  expect((await quotas.take(ofPage, 5_000, null)).events).toBe(5_000);
});

it('writes no window of a project that is deleted', async () => {
  const { user, project, owner, startProcess } = await setUp({ per5Minutes: 10 });
  const quotas = await startProcess();
  await user.api.delete(`/projects/${project.id}`);
  expect((await quotas.take(owner, 100, null)).events).toBe(100);
  await quotas.flush();
  const { rows } = await pool.query('SELECT FROM quota_windows WHERE project_id = $1', [owner.projectId]);
  expect(rows).toEqual([]);
});
