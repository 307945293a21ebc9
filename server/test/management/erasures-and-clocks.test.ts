import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Eraser } from '../../src/erasures/eraser.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { upsertLiveness } from '../../src/queue/liveness-queries.ts';
import { ledgerOf, NO_EVENTS, uuidOf } from '../processing/support.ts';
import { LeapingClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService({ own: true, roles: ['management', 'ingestion'] });
const { pool } = service.database;
const dependencies = { ...service.context, pool, retentionDays: 30 };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEAPS = [
  { direction: 'ahead', leapMs: DAY_MS },
  { direction: 'back', leapMs: -DAY_MS },
];
/** More events than a step deletes. */
const COUNT = 600;

/** Takes a step as a worker does, whose process reports where the erasure waits for it. */
async function step(eraser: Eraser): Promise<void> {
  if ((await eraser.runOnce()) === 'idle')
    await upsertLiveness(pool, service.context.processId, new Date(service.context.clock.now()));
}

/** Requests an erasure, and has a worker delete a part of its events. */
async function eraseSome(worker: Eraser) {
  const owner = await service.signUp();
  const { id: projectId } = await owner.createProject();
  const userId = `usr_${randomUUID().slice(0, 8)}`;
  await pool.query(
    `WITH stored AS (
        INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
          fingerprint, correlation, payload)
        SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5($3 || n), 1, 19))::uuid,
          $1, $2, now(), 'info', 'a', 'Event', $3, 'f', jsonb_build_object('user_id', $3::text), '{}'
        FROM generate_series(1, $4::int) AS n RETURNING id
      )
      INSERT INTO ledgers (project_id, accepted, stored) SELECT $2, count(*), count(*) FROM stored`,
    [toUuid('org', owner.organizationId), uuidOf(projectId), userId, COUNT],
  );
  const { body } = await owner.api.post('/erasures', { projectId, key: 'user_id', value: userId });
  const erased = async () => (await ledgerOf(owner, projectId)).erased;
  await waitFor('a part of the events to be deleted', async () => {
    await step(worker);
    return (await erased()) > 0;
  });
  expect(await erased()).toBeLessThan(COUNT);
  return {
    /** Has a worker do the rest. */
    finish: async (other: Eraser) => {
      const done = await waitFor('the erasure to be done', async () => {
        await step(other);
        const { body: read } = await owner.api.get(`/erasures/${body.id}`);
        return read.state === 'done' && read;
      });
      expect(done.events).toBe(COUNT);
      expect(await ledgerOf(owner, projectId)).toEqual({ ...NO_EVENTS, accepted: COUNT, erased: COUNT });
      expect((await pool.query(`SELECT FROM leases WHERE name = 'erasures'`)).rowCount).toBe(0);
      return done;
    },
  };
}

const otherWorker = () => new Eraser({ ...dependencies, processId: randomUUID() });

describe.each(LEAPS)('an erasure in progress', ({ direction, leapMs }) => {
  it(`keeps its worker, whose clock leaps a day ${direction}, and ends by no time ahead`, async () => {
    const clock = new LeapingClock();
    const worker = new Eraser({ ...dependencies, clock });
    const { finish } = await eraseSome(worker);
    clock.set(leapMs);
    expect(await otherWorker().runOnce()).toBe('idle');
    const { finishedAt, unreached } = await finish(worker);
    const endMs = service.context.clock.now() + Math.min(leapMs, 0);
    expect(Math.abs(Date.parse(finishedAt) - endMs)).toBeLessThan(HOUR_MS);
    const { until } = unreached.find(({ what }: { what: string }) => what === 'transient');
    expect(Date.parse(until) - Date.parse(finishedAt)).toBe(DAY_MS);
  });

  it(`goes on with another worker, and counts each event once, where the clock of the database leaps a day ${direction}`, async () => {
    const worker = new Eraser(dependencies);
    const { finish } = await eraseSome(worker);
    // The stored times move against the clock, by as much as it leaps.
    const leap = [leapMs / DAY_MS];
    await pool.query(
      `UPDATE leases SET expires_at = expires_at - make_interval(days => $1) WHERE name = 'erasures'`,
      leap,
    );
    await pool.query(
      'UPDATE erasures SET covered_until = covered_until - make_interval(days => $1) WHERE finished_at IS NULL',
      leap,
    );
    const other = otherWorker();
    await other.runOnce();
    expect(await worker.runOnce()).toBe('idle');
    await finish(other);
  });
});
