import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longForm, rounds } from '../../../../server/test/support/test-length.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { RecordBuffer } from '../state/record-buffer.ts';
import { advanceHeartbeat, nextDue, type OverdueHeartbeat, recordEvent } from './heartbeat.ts';
import { HEARTBEAT_FLOATS, HeartbeatState } from './heartbeat-state.ts';

const normOf = (period: number) => ({ budgetPerWeek: 1 / 30, lowestRate: () => 1 / period });
/** In minutes. */
const PERIODS = [1, 5, 10, 30, 60, 240, 720, 1_440];
/** In rarer senders the gap of the night, which is a part of a period by chance, still counts in the afternoon. */
const MAX_PAUSING_PERIOD = 5;

interface Sender {
  /** In minutes. */
  period: number;
  /** In parts of a period. */
  jitter: number;
  /** True if it is silent before six in the morning. */
  pauses: boolean;
  seed: number;
}

const senders = fc.record({
  period: fc.constantFrom(...PERIODS),
  jitter: fc.constantFrom(0, 0.02),
  pauses: fc.boolean(),
  seed: fc.nat(1_000),
});
const outages = fc.integer({ min: 20, max: 2 * 1_440 });
/** The short form draws the same outages each time, the long form others, and prints its seed. */
const RUNS = { numRuns: rounds(6, 100), ...(!longForm && { seed: 1 }) };

/** A sender that is watched minute by minute. */
class WatchedSender {
  timeMs = START_MS;
  readonly heartbeat = new HeartbeatState({ buffer: new RecordBuffer(HEARTBEAT_FLOATS), first: 0 });
  readonly #sender: Sender;
  readonly #norm;
  readonly #random: Random;
  #runs = 1;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#norm = normOf(sender.period);
    this.#random = new Random(sender.seed);
    this.heartbeat.begin(START_MS);
  }

  /** @returns the heartbeats that were overdue */
  runUntil(untilMs: number, isDead = false): OverdueHeartbeat[] {
    const overdue: OverdueHeartbeat[] = [];
    while (this.timeMs < untilMs) {
      this.timeMs += MINUTE_MS;
      for (let eventMs = this.#nextMs(); eventMs < this.timeMs; eventMs = this.#nextMs()) {
        this.#runs++;
        if (!isDead && !this.#isPaused(eventMs)) recordEvent(this.heartbeat, eventMs, 1);
      }
      const change = advanceHeartbeat(this.heartbeat, { timeMs: this.timeMs, isKnown: true }, this.#norm);
      if (change?.kind === 'overdue') overdue.push(change);
    }
    return overdue;
  }

  /** @returns minutes since its last heartbeat once it is overdue */
  die(untilMs: number): number {
    return this.runUntil(untilMs, true)[0]?.elapsedMinutes ?? Number.POSITIVE_INFINITY;
  }

  /** Minutes from the last heartbeat until the next one is overdue. */
  wait(): number {
    return ((nextDue(this.heartbeat, this.#norm)?.dueMs ?? Number.NaN) - this.heartbeat.seenMs) / MINUTE_MS;
  }

  /** Heartbeats stray to both sides: each has a jitter of its own, drawn once. */
  #jitters: number[] = [];
  #nextMs(): number {
    const { period, jitter } = this.#sender;
    const strays = (this.#jitters[this.#runs] ??= jitter * (this.#random.uniform() - 0.5));
    return START_MS + (this.#runs + strays) * period * MINUTE_MS;
  }

  #isPaused(eventMs: number): boolean {
    const { period, pauses } = this.#sender;
    return pauses && period <= MAX_PAUSING_PERIOD && (eventMs - START_MS) % DAY_MS < 6 * HOUR_MS;
  }
}

/** A sender of three weeks, at three in the afternoon. */
const DIES_MS = START_MS + 21 * DAY_MS + 15 * HOUR_MS;

/** At least one heartbeat is missing by more than a period. */
const endOf = ({ period }: Sender, minutes: number) => DIES_MS + Math.max(minutes, 3 * period) * MINUTE_MS;

describe('gaps of heartbeats that were reported', () => {
  it('waits ten days after an outage at most 1.5 times as long as before', () => {
    fc.assert(
      fc.property(senders, outages, (sender, minutes) => {
        const watched = new WatchedSender(sender);
        watched.runUntil(DIES_MS);
        const before = watched.wait();
        expect(watched.die(endOf(sender, minutes))).toBeLessThan(Number.POSITIVE_INFINITY);
        watched.runUntil(DIES_MS + 14 * DAY_MS);
        expect(watched.wait()).toBeLessThanOrEqual(1.5 * before);
      }),
      RUNS,
    );
  });

  it('reports the same outage at the same time of the next days, and of the next week, as soon as the first', () => {
    fc.assert(
      fc.property(senders, outages, fc.constantFrom(1, 2, 7), (sender, minutes, quietDays) => {
        const watched = new WatchedSender(sender);
        watched.runUntil(DIES_MS);
        const first = watched.die(endOf(sender, minutes));
        const days = quietDays === 7 ? 7 : Math.ceil((endOf(sender, minutes) - DIES_MS) / DAY_MS) + quietDays;
        watched.runUntil(DIES_MS + days * DAY_MS);
        expect(watched.die(watched.timeMs + 3 * DAY_MS)).toBeLessThanOrEqual(1.02 * first + 1);
      }),
      RUNS,
    );
  });

  it('reports each of two nights that a job misses, and learns the third', () => {
    const job = { period: 1_440, jitter: 0, pauses: false, seed: 1 };
    const watched = new WatchedSender(job);
    watched.runUntil(DIES_MS);
    const waits = Array.from({ length: 4 }, () => {
      const wait = watched.wait();
      watched.die(watched.timeMs + 2 * DAY_MS);
      watched.runUntil(watched.timeMs + 3 * DAY_MS);
      return wait;
    });
    const [first = Number.NaN, second, third, fourth] = waits;
    expect([second, third]).toEqual([first, first]);
    expect(fourth).toBeGreaterThan(1.5 * first);
  });

  it('learns a pause that begins after a month from its third night on', () => {
    const heartbeat = new HeartbeatState({ buffer: new RecordBuffer(HEARTBEAT_FLOATS), first: 0 });
    heartbeat.begin(START_MS);
    const nights: number[] = [];
    for (let minute = 0; minute < 45 * 1_440; minute++) {
      const [day, timeMs] = [Math.floor(minute / 1_440), START_MS + minute * MINUTE_MS];
      const isNight = day >= 28 && minute % 1_440 < 360;
      if (minute % 5 === 0 && !isNight) recordEvent(heartbeat, timeMs, 1);
      const to = { timeMs: timeMs + MINUTE_MS, isKnown: true };
      if (advanceHeartbeat(heartbeat, to, normOf(5))?.kind === 'overdue') nights.push(day - 28);
    }
    // Each weekday has to show its night, and those of the first two were outages.
    expect(nights).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
