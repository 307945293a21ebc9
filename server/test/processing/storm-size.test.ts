import { describe, expect, it } from 'vitest';
import { newUuid } from '../../src/platform/ids.ts';
import { createProcessor } from '../../src/processing/processor.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { aQueuedEvent, ledgerOf, queueBatch } from './support.ts';

const BATCH_EVENTS = 1_000;
const EVENTS = rounds(20_000, 1_000_000);
/** The short form takes 30 MB where every event is kept. */
const MAX_BYTES = rounds(10_000_000, 20_000_000);
const MINUTE_MS = 60_000;

describe('a storm of a million events of one kind', async () => {
  const clock = new StillClock(middleOf(60 * MINUTE_MS));
  const service = await startTestService({ roles: ['management'], clock });
  const { pool } = service.database;
  const user = await service.signUp();
  const sizes = async () => {
    const { rows } = await pool.query<{ name: string; bytes: number }>(
      `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  };

  it(
    'takes at most 20 MB of disk with samples, ids of jobs included, and counts each event',
    async () => {
      const { id } = await user.createProject();
      await user.api.patch(`/projects/${id}`, { sampleAbove: 1_000 });
      const processors = [0, 1].map(() =>
        createProcessor({ ...service.context, pool, watchedOrganizations: () => [], lateMs: 300_000 }),
      );
      const before = await sizes();
      const startMs = clock.now();
      for (let sent = 0; sent < EVENTS; sent += BATCH_EVENTS) {
        // Over half an hour of one hour.
        const nowMs = startMs + Math.floor((sent / EVENTS) * 29) * MINUTE_MS;
        const events = Array.from({ length: BATCH_EVENTS }, (_, index) =>
          aQueuedEvent(id, {
            id: newUuid(nowMs),
            receivedAt: new Date(nowMs).toISOString(),
            severity: 'error',
            message: `Could not reserve the order ${sent + index}: the stock did not answer within 2,000 ms`,
            correlationId: `ord_${sent + index}`,
            correlation: { order_id: `ord_${sent + index}`, user_id: `usr_${index}` },
            payload: { attempts: 3, stock: 'eu-1', stack: 'at reserve (shop/stock.ts:41:7)\n'.repeat(8) },
          }),
        );
        await queueBatch(pool, id, events);
        await Promise.all(processors.map((processor) => processor.processNext()));
      }
      const whole = await ledgerOf(user, id);
      expect(whole).toMatchObject({ accepted: EVENTS, queued: 0, dead: 0 });
      expect(whole.stored + whole.sampled).toBe(EVENTS);
      const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
      expect(group).toMatchObject({ count: EVENTS, users: BATCH_EVENTS });

      const grown = (after: Map<string, number>) =>
        new Map([...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]));
      const sum = (bytes: Map<string, number>) => [...bytes.values()].reduce((all, each) => all + each, 0);
      // The queue's rows are gone, and their space is used again once they are vacuumed.
      const { queue: _queue, ...kept } = Object.fromEntries(grown(await sizes()));
      const keptBytes = sum(new Map(Object.entries(kept)));
      await pool.query('VACUUM');
      const vacuumed = grown(await sizes());
      expect(keptBytes).toBeLessThanOrEqual(MAX_BYTES);
      expect(sum(vacuumed)).toBeLessThanOrEqual(MAX_BYTES);
    },
    scaled(600_000),
  );
});
