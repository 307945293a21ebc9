import { expect, it } from 'vitest';
import { MAX_INBOX_ENTRIES, takeInboxBefore } from '../../src/risk/live/inbox/inbox.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertInboxRow } from './support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON_MS = Date.UTC(2026, 0, 5, 12);

const { pool } = await createTestDatabase();
const deltaAt = (bucketMs: number, type = 'order') => ({
  projectId: 'shop',
  type,
  bucketMs,
  count: 1,
  lastMs: bucketMs,
});
const kindAt = (atMs: number) => ({ projectId: 'shop', fingerprint: 'a', atMs });
const takeUntil = (fromMs: number, endMs: number) =>
  takeInboxBefore(pool, { fromMs, endMs, readMs: endMs, aheadMs: HOUR_MS });
const listRows = async () =>
  (
    await pool.query(
      'SELECT id, jsonb_array_length(deltas) AS deltas, from_ms AS "fromMs" FROM risk_inbox ORDER BY id',
    )
  ).rows;

it('keeps counts and errors that are later than a round in their row, and takes them once in the end', async () => {
  const times = Array.from({ length: 30 }, (_, i) => NOON_MS + i * 10 * MINUTE_MS);
  await insertInboxRow(
    pool,
    times.map((ms) => deltaAt(ms)),
    times.map(kindAt),
  );
  await insertInboxRow(pool, [deltaAt(NOON_MS + 2 * HOUR_MS, 'refund')]);
  const before = await listRows();
  const deltas: { type: string; bucketMs: number }[] = [];
  const errors: { atMs: number }[] = [];
  for (let hour = 0; hour < 5; hour++) {
    const fromMs = NOON_MS + hour * HOUR_MS;
    const taken = await takeUntil(fromMs, fromMs + HOUR_MS);
    expect(taken.untilMs).toBe(fromMs + HOUR_MS);
    for (const { bucketMs } of taken.deltas) expect(bucketMs - fromMs).toBeLessThan(HOUR_MS);
    deltas.push(...taken.deltas);
    errors.push(...taken.errors);
    const [row] = await listRows();
    if (hour < 4) expect(row).toEqual({ id: before[0]?.id, deltas: 24 - 6 * hour, fromMs: fromMs + HOUR_MS });
  }
  expect(await listRows()).toEqual([]);
  expect(deltas.filter(({ type }) => type === 'order').map(({ bucketMs }) => bucketMs)).toEqual(times);
  expect(deltas.filter(({ type }) => type === 'refund')).toHaveLength(1);
  expect(errors.map(({ atMs }) => atMs)).toEqual(times);
});

it('ends a bounded round before the oldest count that it leaves in the stream, in any order of rows', async () => {
  const half = Array.from({ length: MAX_INBOX_ENTRIES / 2 + 1 }, (_, i) => i);
  for (const minute of [30, 10, 20]) {
    await insertInboxRow(
      pool,
      half.map((i) => deltaAt(NOON_MS + minute * MINUTE_MS, `type-${i}`)),
    );
  }
  const first = await takeUntil(NOON_MS, NOON_MS + HOUR_MS);
  expect(first).toMatchObject({ rows: 2, untilMs: NOON_MS + 30 * MINUTE_MS, hasMore: true });
  expect(first.deltas).toHaveLength(2 * half.length);
  const second = await takeUntil(first.untilMs, NOON_MS + HOUR_MS);
  expect(second).toMatchObject({ rows: 1, untilMs: NOON_MS + HOUR_MS, hasMore: false });
  expect(await listRows()).toEqual([]);
});
