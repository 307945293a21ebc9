import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { aQueuedEvent, uuidOf } from '../processing/support.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { evaluatedUntil, incidentsOf, insertHistory, passTime, QUICK_PACE, queueEmptied } from './support.ts';

describe('events that waited on disk while the database was lost', { timeout: scaled(60_000) }, async () => {
  const clock = new TestClock();
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
    await queueEmptied(service);
    await passTime(service, clock, 2 * MINUTE_MS);
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
    expect(await incidentsOf(user, id)).toEqual([]);
    const { body: groups } = await user.api.get(`/groups?project_id=${id}`);
    expect(groups).toMatchObject([{ title: 'No such card', count: 180 }]);
    await queue.append([await anItem(1, 0)]);
    expect(await user.firstIncident(id)).toMatchObject({
      title: 'No such card in shop',
      eventCount: 1,
      evidence: { rule: 'new_kind' },
    });
  });
});
