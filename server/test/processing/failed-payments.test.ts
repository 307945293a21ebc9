import { describe, expect, it } from 'vitest';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, processed, queueBatch, uuidOf } from './support.ts';

const PAYMENT = { type: 'payment', source: 'payments' } as const;

describe('a failed payment', async () => {
  const service = await startTestService({ roles: ['worker', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();

  /** Stores payments, and returns the chart's counts and the detector's inbox. */
  const store = async (payments: Partial<QueuedEvent>[]) => {
    const { id } = await user.createProject();
    // The risk loop deletes the rows that it has read.
    await pool.query('CREATE TABLE IF NOT EXISTS streamed (deltas jsonb)');
    await pool.query(`CREATE OR REPLACE FUNCTION keep_deltas() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO streamed VALUES (NEW.deltas); RETURN NEW; END'`);
    await pool.query(
      'CREATE OR REPLACE TRIGGER keep_deltas BEFORE INSERT ON risk_inbox FOR EACH ROW EXECUTE FUNCTION keep_deltas()',
    );
    await queueBatch(
      pool,
      id,
      payments.map((payment) => aQueuedEvent(id, { ...PAYMENT, ...payment })),
    );
    await processed(service);
    const { rows: counts } = await pool.query(
      `SELECT severity, sum(count)::int AS count, sum(failed_payments)::int AS failed FROM event_counts
        WHERE project_id = $1 GROUP BY severity ORDER BY severity`,
      [uuidOf(id)],
    );
    const { rows: streamed } = await pool.query(
      `SELECT delta ->> 'severity' AS severity, sum((delta -> 'count')::int)::int AS count
        FROM streamed, jsonb_array_elements(deltas) AS delta WHERE delta ->> 'projectId' = $1
        GROUP BY 1 ORDER BY 1`,
      [uuidOf(id)],
    );
    const { rows: events } = await pool.query(
      'SELECT message, severity, failed_payment AS failed FROM events WHERE project_id = $1 ORDER BY message',
      [uuidOf(id)],
    );
    return { counts, streamed, events };
  };

  it('recognises a failed payment by the mark of ingestion, in the counts and in the stream to the detector', async () => {
    const { counts, streamed, events } = await store([
      { message: 'invoice.payment_failed', failedPayment: true },
      { message: 'named otherwise', failedPayment: true },
      { message: 'not.payment_failed', failedPayment: false },
      { message: 'payment_failed', severity: 'error', failedPayment: true },
    ]);
    expect(counts).toEqual([
      { severity: 'info', count: 3, failed: 2 },
      { severity: 'error', count: 1, failed: 0 },
    ]);
    expect(streamed).toEqual([
      { severity: 'error', count: 3 },
      { severity: 'info', count: 1 },
    ]);
    expect(events).toEqual([
      { message: 'invoice.payment_failed', severity: 'info', failed: true },
      { message: 'named otherwise', severity: 'info', failed: true },
      { message: 'not.payment_failed', severity: 'info', failed: false },
      { message: 'payment_failed', severity: 'error', failed: true },
    ]);
  });
});
