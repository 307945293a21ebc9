import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { RecordMemory } from '../state/record-memory.ts';
import { HEARTBEAT_BYTES, HeartbeatState, type SavedHeartbeat } from './heartbeat-state.ts';

const timeMs = fc.integer({ min: 0, max: 4e12 });
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
/** Of single precision, as whole numbers below 2²⁴ are. */
const single = fc.float({ noNaN: true, noDefaultInfinity: true });
const events = fc.nat({ max: 2 ** 24 });
const counts = fc.record({ running: events, heartbeats: events, mean: single, variance: single });
const tracker = fc.record(
  { heartbeatMs: timeMs, lastMs: timeMs, gaps: events, mean: value, logMean: value },
  { requiredKeys: ['heartbeatMs', 'lastMs', 'gaps', 'mean', 'logMean'] },
);
const optional = fc.record({ aliveMs: timeMs, expected: single, counts }, { requiredKeys: [] });
const saved: fc.Arbitrary<SavedHeartbeat> = fc.record({
  firstMs: timeMs,
  clockMs: timeMs,
  trackers: fc.array(
    fc.tuple(tracker, optional).map(([fields, others]) => ({ ...fields, ...others })),
    { minLength: 3, maxLength: 3 },
  ),
  quietHours: fc.record({
    halfHours: fc.uint8Array({ minLength: 336, maxLength: 336, max: 2 }),
    currentHalfHour: fc.nat(),
    hasEvents: fc.boolean(),
    hadEvents: fc.boolean(),
  }),
  overdue: fc.integer({ min: -1, max: 2 }),
  seenMs: timeMs,
});

describe('the state of a heartbeat', () => {
  it('loads and saves all fields losslessly, and leaves out what is missing', () => {
    fc.assert(
      fc.property(fc.array(saved, { minLength: 1, maxLength: 5 }), (all) => {
        const memory = new RecordMemory(HEARTBEAT_BYTES);
        const states = all.map((each) => {
          const record = memory.take();
          const state = new HeartbeatState(memory.at(record), each);
          expect(new HeartbeatState(memory.at(record), null).save()).toEqual(state.save());
          return state;
        });
        const loaded = states.map((state) => state.save());
        expect(loaded).toEqual(all);
        expect(JSON.stringify(loaded).length).toBe(JSON.stringify(all).length);
      }),
      { numRuns: rounds(25, 100) },
    );
  });
});
