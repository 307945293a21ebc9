import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../database/database.ts';
import { Outage } from './outage.ts';
import { declareKeyWatchLoop } from './watch-keys.ts';

const KEY = '0190a000-0000-7000-8000-000000000001';
/** Nothing listens on the first port. */
const NOWHERE = { connectionString: 'postgres://127.0.0.1:1/tocsin' };

it('begins an outage without a request, so that a key that is used later in it is known', async () => {
  const pool = createPool({
    connection: NOWHERE,
    applicationName: 'test',
    maxConnections: 1,
    onError: () => {},
  });
  onTestFinished(() => pool.end());
  let nowMs = 100_000;
  const outage = new Outage({ monotonicMs: () => nowMs, findOutage: () => null });
  outage.watchKey(KEY);
  outage.noteValidKey(KEY, nowMs);
  const { round } = declareKeyWatchLoop(outage, pool);
  nowMs += 2_500;
  await expect(round(new AbortController().signal)).rejects.toThrow();
  nowMs += 60_000;
  expect(outage.durationMs).toBe(60_000);
  expect(outage.knewKey(KEY)).toBe(true);
});
