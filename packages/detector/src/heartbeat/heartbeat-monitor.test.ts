import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../state/durations.ts';
import { RecordTable } from '../state/record-table.ts';
import { advanceHeartbeat, type HeartbeatChange, recordEvent } from './heartbeat.ts';
import { HeartbeatMonitor } from './heartbeat-monitor.ts';
import { HEARTBEAT_FLOATS, HeartbeatState } from './heartbeat-state.ts';

const NORMS = { budgetShareOf: () => 0.02, lowestRateOf: () => 0.2 };
const NORM = { budgetPerWeek: 0.02, lowestRate: () => 0.2 };
const MINUTES = 16 * 1_440;

/** Events that a sender sends at a minute. */
type Sends = (minute: number, random: Random) => number;
const isNight = (minute: number) => (minute / 60) % 24 < 7;
const SENDERS: Sends[] = [
  (_, random) => random.poisson(0.05),
  (minute) => (minute % 10 === 0 ? 1 : 0),
  (minute, random) => (minute % 5 === 0 ? random.poisson(2) : 0),
  (minute) => (minute % 60 === 7 && !isNight(minute) ? 1 : 0),
  (minute, random) => (isNight(minute) ? 0 : random.poisson(0.5)),
  (minute) => (minute % 240 === 3 ? 2 : 0),
];
const isDead = (sender: number, minute: number) => minute > 9 * 1_440 && (minute / 400 + sender) % 9 < 1;
const isKnown = (minute: number) => minute % 5_000 > 90;

describe('the heartbeats of a project', () => {
  it('reports and saves what it would if each were gone through every minute, and after loading', () => {
    const random = new Random(5);
    let monitor = new HeartbeatMonitor();
    const records = new RecordTable(HEARTBEAT_FLOATS);
    const alone: HeartbeatState[] = [];
    const kinds = new Set<HeartbeatChange['kind']>();
    for (let minute = 0; minute < MINUTES; minute++) {
      const timeMs = START_MS + minute * MINUTE_MS;
      SENDERS.forEach((sends, series) => {
        const events = isDead(series, minute) ? 0 : sends(minute, random);
        if (events === 0) return;
        const atMs = timeMs + Math.floor(MINUTE_MS * random.uniform());
        const event = { timeMs: atMs, events, level: 0.1 };
        if (!records.has(series)) {
          const place = { buffer: records.buffer, first: records.add(series) };
          alone[series] = new HeartbeatState(place).begin(atMs);
        }
        const change = recordEvent(alone[series] as HeartbeatState, atMs, events); // it was created above
        const changeOfAll = monitor.recordEvent(series, event);
        // Asserting each event and minute would take longer than evaluating it.
        if (change || changeOfAll) expect(changeOfAll).toEqual(change);
      });
      const to = { timeMs: timeMs + MINUTE_MS, isKnown: isKnown(minute) };
      const reported: [number, HeartbeatChange][] = [];
      monitor.advance(to, NORMS, (series, change) => reported.push([series, change]));
      const expected = alone.flatMap((heartbeat, series) => {
        const change = advanceHeartbeat(heartbeat, to, NORM);
        return change ? [[series, change]] : [];
      });
      if (reported.length + expected.length > 0)
        expect(reported.toSorted(([a], [b]) => a - b)).toEqual(expected);
      for (const [, { kind }] of reported) kinds.add(kind);
      if (minute % 997 !== 0) continue;
      // Worked out anew at each advance.
      for (const heartbeat of alone) if (heartbeat) heartbeat.paused = 0;
      expect(monitor.save()).toEqual(records.save());
      monitor = new HeartbeatMonitor(monitor.save());
    }
    expect([...kinds]).toEqual(['overdue']);
  });
});
