import { describe, expect, it } from 'vitest';
import type { Pool } from '../database/database.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../roles/metrics.ts';
import { createProcessor } from './processor.ts';

const TIMED_OUT = Object.assign(new Error('canceling statement due to statement timeout'), {
  code: '57014',
  severity: 'ERROR',
});

/** A processor on a database that times out with more than a number of batches. */
function aProcessor(database: { fastEnoughFor: number }) {
  const asked: number[] = [];
  const client = {
    query: async (query: string | { values: [number, number, number, number, number] }) => {
      if (typeof query === 'string') return { rows: [] }; // Beginning and end of the transaction.
      const [, , , maxBatches, maxBytes] = query.values;
      asked.push(maxBatches);
      expect(maxBytes).toBe((maxBatches / 256) * 4 * 1024 * 1024);
      if (maxBatches > database.fastEnoughFor) throw TIMED_OUT;
      const outcome = {
        oldestId: 1,
        batches: maxBatches,
        events: maxBatches,
        stored: maxBatches,
      };
      return {
        rows: [
          {
            ...outcome,
            inserted: maxBatches,
            duplicate: 0,
            dropped: 0,
            cells: null,
            arrivals: [],
            lateHours: [],
            notices: [],
            unknownEnvironments: [],
          },
        ],
      };
    },
    on: () => {},
    off: () => {},
    release: () => {},
  };
  const pool = { query: client.query, connect: async () => client } as unknown as Pool; // Only these methods are used.
  const processor = createProcessor({
    pool,
    clock: { now: () => 0 },
    databaseTime: async () => 0,
    log: createLog('silent'),
    metrics: createMetrics(),
    watchedOrganizations: () => [],
    lateMs: 300_000,
  });
  const process = async (times: number) => {
    asked.length = 0;
    for (let time = 0; time < times; time++) await processor.processNext().catch(() => {});
    return [...asked];
  };
  return { process };
}

describe('how many batches one statement takes', () => {
  it('halves the batches of a statement after each timeout, down to one', async () => {
    const { process } = aProcessor({ fastEnoughFor: 0 });
    expect(await process(10)).toEqual([256, 128, 64, 32, 16, 8, 4, 2, 1, 1]);
  });

  it('grows little by little once statements end in time, up to all', async () => {
    const database = { fastEnoughFor: 100 };
    const { process } = aProcessor(database);
    expect(await process(8)).toEqual([256, 128, 64, 72, 80, 88, 96, 104]);
    database.fastEnoughFor = 1_000;
    expect((await process(40)).at(-1)).toBe(256);
  });
});
