import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { declareLivenessLoop } from '../../src/queue/liveness-loop.ts';
import { listLivenessIntervals, upsertLiveness } from '../../src/queue/liveness-queries.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { aQueuedEvent, uuidOf } from '../processing/support.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { Detection, UNBOUNDED } from './detection.ts';
import { evaluatedUntil, incidentsOf, insertHistory, passTime, QUICK_PACE, queueEmptied } from './support.ts';

describe('events that waited on disk while the database was lost', { timeout: scaled(60_000) }, async () => {
  const clock = new StillClock(middleOf(MINUTE_MS));
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const { pool } = service.database;
  const user = await service.signUp();
  const { id } = await user.createProject();
  const queue = createPostgresQueue({ pool, clock });

  /** Makes an item of errors that were received a number of minutes ago. */
  const anItem = async (events: number, minutesAgo: number) => {
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM api_keys WHERE project_id = $1', [
      uuidOf(id),
    ]);
    const receivedMs = clock.now() - minutesAgo * MINUTE_MS;
    const error = { type: 'checkout', severity: 'error', source: 'shop', message: 'No such card' } as const;
    const texts = Array.from({ length: events }, () =>
      JSON.stringify({
        ...aQueuedEvent(id, { ...error, receivedAt: new Date(receivedMs).toISOString() }),
        id: newUuid(receivedMs),
      }),
    );
    return { projectId: uuidOf(id), keyId: rows[0]?.id ?? '', events: texts, claim: null };
  };

  it('opens nothing for a new kind of error among them, and an incident once it occurs again', async () => {
    const counts = Array.from({ length: 25 * 60 }, () => 10);
    const series = { type: 'order', severity: 'info', source: 'web' };
    await insertHistory(service.database, { projectId: id, series, nowMs: clock.now(), counts });
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
    for (const minutesAgo of [0, 1, 30])
      await queue.appendSpooled([await anItem(60, minutesAgo)], async () => {});
    service.wake('processing');
    await queueEmptied(service);
    await passTime(service, clock, 2 * MINUTE_MS);
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
    expect(await incidentsOf(user, id)).toEqual([]);
    const { body: groups } = await user.api.get(`/groups?project_id=${id}`);
    expect(groups).toMatchObject([{ title: 'No such card', count: 180 }]);
    await queue.append([await anItem(1, 0)]);
    service.wake('processing');
    expect(await user.firstIncident(id)).toMatchObject({
      title: 'No such card in shop',
      eventCount: 1,
      evidence: { rule: 'new_kind' },
    });
  });
});

describe('minutes in which a process could not store what it received', () => {
  const OTHER = newUuid(0);

  /** Detection of a project whose events two processes receive, one half each. */
  async function start() {
    const detection = await Detection.start(1, UNBOUNDED);
    const { pool } = detection.service.database;
    const report = (isLast = false) =>
      upsertLiveness(pool, OTHER, new Date(detection.clock.now()), { isLast });
    await report();
    const events = Array.from({ length: 26 * 60 }, () => [{ project: 0, events: 100 }]);
    await detection.sendMinutes(events);
    await pool.query('UPDATE intake_presence SET until = $1', [new Date(detection.clock.now())]);
    await report();
    await detection.runRounds();
    return { detection, pool, report };
  }

  const passHalved = async (detection: Detection, minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) await detection.pass(1, [{ project: 0, events: 50 }]);
    return detection.incidents();
  };

  it('opens a drop for what a lost process does not store only once it has been lost for ten minutes', async () => {
    const { detection, pool } = await start();
    await pool.query(
      `UPDATE intake_presence SET told_at = told_at - interval '1 minute' WHERE process_id = '${OTHER}'`,
    );
    expect(await passHalved(detection, 10)).toEqual([]);
    expect(await passHalved(detection, 5)).toMatchObject([{ title: 'order events down in web' }]);
  });

  it('opens a drop at once after the orderly end of a process', async () => {
    const { detection, report } = await start();
    await report(true);
    expect(await passHalved(detection, 4)).toMatchObject([{ title: 'order events down in web' }]);
  });

  it('begins another interval of presence after each report between which something was kept on disk', async () => {
    const clock = new StillClock();
    const { pool } = await createTestDatabase();
    const processId = newUuid(clock.now());
    const disk = { appended: 0, countByProject: () => ({}) };
    const { round } = declareLivenessLoop({ pool, clock }, processId, disk);
    const startMs = clock.now();
    for (const appended of [0, 0, 3, 3, 4]) {
      disk.appended = appended;
      await round(new AbortController().signal);
      clock.advance(1_000);
    }
    const intervals = await listLivenessIntervals(pool, new Date(startMs));
    expect(
      intervals.map(({ untilMs, lostUntilMs }) => [untilMs - startMs, lostUntilMs && lostUntilMs - startMs]),
    ).toEqual([
      [1_000, 2_000],
      [3_000, 4_000],
      [4_000, null],
    ]);
  });
});
