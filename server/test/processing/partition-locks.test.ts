import { describe, expect, it, onTestFinished } from 'vitest';
import { listPartitionWeeks } from '../../src/events/partition-queries.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { weekOf } from '../../src/events/weeks.ts';
import { prepareForEvents } from '../../src/maintenance/maintenance.ts';
import { uuidLowerBound } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { processed } from './support.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

describe('the partition of a week', async () => {
  // No week begins meanwhile, and no worker makes partitions beside the test.
  const clock = new StillClock(middleOf(WEEK_MS));
  const service = await startTestService({ roles: ['ingestion', 'management'], clock });
  const { pool } = service.database;
  const user = await service.signUp();
  const nextWeekMs = weekOf(clock.now()) + WEEK_MS;
  const nameOf = (weekMs: number) =>
    `events_${new Date(weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const next = nameOf(nextWeekMs);
  const exists = async () => (await listPartitionWeeks(pool)).includes(nextWeekMs);

  /** Locks the table as another program. @returns a function that releases the lock */
  const hold = async (mode: string) => {
    const holder = await beginHeldTransaction(pool);
    onTestFinished(() => holder.release(true));
    await holder.query(`LOCK TABLE events IN ${mode} MODE`);
    return () => holder.query('ROLLBACK');
  };

  it('makes the partition of a week beside a long reader while events are stored and read', async () => {
    const { ingest } = await user.createProject();
    await pool.query(`DROP TABLE ${next}`);
    const release = await hold('ACCESS SHARE');
    await service.maintain();
    expect(await exists()).toBe(true);
    const event = { type: 'manual', severity: 'INFO', message: 'Beside a long reader' };
    expect((await ingest.post('/ingest/events', event)).status).toBe(202);
    await processed(service);
    expect((await user.api.get('/events')).body).toMatchObject([{ message: 'Beside a long reader' }]);
    await release();
  });

  it('makes a partition with the columns, keys and indexes of its parent', async () => {
    const otherMs = nextWeekMs + 20 * WEEK_MS;
    const other = nameOf(otherMs);
    await ensurePartitions(pool, nextWeekMs, nextWeekMs);
    await pool.query(
      `CREATE TABLE ${other} PARTITION OF events
        FOR VALUES FROM ('${uuidLowerBound(otherMs)}') TO ('${uuidLowerBound(otherMs + WEEK_MS)}')`,
    );
    const describeTable = async (name: string) => {
      const { rows } = await pool.query<{ described: unknown }>(
        `SELECT jsonb_build_object(
            'columns', (SELECT jsonb_agg(jsonb_build_array(attname, atttypid, attnotnull, atthasdef, attidentity,
                attgenerated, attstorage, attcompression, attislocal, attinhcount) ORDER BY attnum)
              FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),
            'constraints', (SELECT jsonb_agg(jsonb_build_array(conname, contype, pg_get_constraintdef(oid), conislocal,
                coninhcount, conparentid <> 0) ORDER BY conname) FROM pg_constraint WHERE conrelid = c.oid),
            'indexes', (SELECT jsonb_agg(jsonb_build_array(pg_get_indexdef(i.indexrelid), i.indisvalid,
                i.indisprimary, (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = i.indexrelid))
                ORDER BY pg_get_indexdef(i.indexrelid)) FROM pg_index i WHERE i.indrelid = c.oid),
            'options', c.reloptions, 'partition', c.relispartition, 'kind', c.relkind) AS described
          FROM pg_class c WHERE c.oid = $1::regclass`,
        [name],
      );
      return JSON.parse(JSON.stringify(rows[0]?.described).replaceAll(name, 'NAME'));
    };
    const made = await describeTable(next);
    expect(made.indexes).toHaveLength(7);
    expect(made).toEqual(await describeTable(other));
    await pool.query(`DROP TABLE ${other}`);
  });

  it('attaches a table that was left unattached, with the events in it', async () => {
    await pool.query(`ALTER TABLE events DETACH PARTITION ${next}`);
    await pool.query(
      `INSERT INTO ${next} SELECT '${uuidLowerBound(nextWeekMs)}', organization_id, project_id, received_at, severity,
          type, source, 'Detached', correlation_id, fingerprint, release, correlation, payload FROM events LIMIT 1`,
    );
    expect(await exists()).toBe(false);
    await service.maintain();
    expect(await exists()).toBe(true);
    const { rowCount } = await pool.query(`DELETE FROM events WHERE message = 'Detached'`);
    expect(rowCount).toBe(1);
  });

  it('starts although a partition cannot be created, unless it is the current one', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    await pool.query(`DROP TABLE ${next}`);
    const release = await hold('SHARE UPDATE EXCLUSIVE');
    await prepareForEvents(pool, clock, log, 90);
    expect(lines.join()).toContain('partitions of other weeks could not be made yet');
    await release();

    await pool.query(`DROP TABLE ${nameOf(nextWeekMs - WEEK_MS)}`);
    const releaseAgain = await hold('SHARE UPDATE EXCLUSIVE');
    await expect(prepareForEvents(pool, clock, log, 90)).rejects.toMatchObject({ code: '55P03' });
    await releaseAgain();
    await prepareForEvents(pool, clock, log, 90);
    expect(await exists()).toBe(true);
  });
});
