import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longForm, rounds } from '../../../../server/test/support/test-length.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { ExpectedSilence, type SilenceChange } from './expected-silence.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const BUDGET = { budgetPerWeek: 0.02, rarity: 1 };
const RHYTHMS = {
  none: () => 1,
  daily: (minute: number) => 1 + 0.8 * Math.sin((2 * Math.PI * minute) / DAY),
};
interface Outage {
  seed: number;
  perMinute: number;
  rhythm: (minute: number) => number;
}

const outages = fc.record({
  rhythm: fc.constantFrom<Outage['rhythm']>(...Object.values(RHYTHMS)),
  perMinute: fc.constantFrom(0.02, 0.1, 0.5, 2, 5),
  minutes: fc.integer({ min: 20, max: 2 * DAY }),
  seed: fc.nat(1_000),
});
/** The short form draws the same outages each time, the long form others, and prints its seed. */
const RUNS = { numRuns: rounds(12, 150), ...(!longForm && { seed: 1 }) };

/** Two senders of one seed send the same in each minute in which both send. */
class Sender {
  minute = 0;
  readonly #silence = new ExpectedSilence();
  readonly #seed: number;
  readonly #usual: (minute: number) => number;

  constructor(seed: number, usual: (minute: number) => number) {
    this.#seed = seed;
    this.#usual = usual;
  }

  sendUntil(minute: number): void {
    while (this.minute < minute) this.#step(this.#usual(this.minute));
  }

  /** @returns minutes since the last event once it is reported, at the latest after four days */
  stop(): number {
    const until = this.minute + 4 * DAY;
    while (this.minute < until) {
      const change = this.#step(0);
      if (change?.kind === 'opens') return change.elapsedMinutes;
    }
    return Number.POSITIVE_INFINITY;
  }

  stayStoppedUntil(minute: number): void {
    while (this.minute < minute) this.#step(0);
  }

  threshold(): number {
    return this.#silence.next(START_MS + this.minute * MINUTE_MS, BUDGET)?.threshold ?? Number.NaN;
  }

  #step(rate: number): SilenceChange | null {
    const timeMs = START_MS + this.minute * MINUTE_MS;
    this.#silence.count(rate === 0 ? 0 : new Random(100_003 * this.#seed + this.minute).poisson(rate));
    this.minute++;
    return this.#silence.endMinute({ timeMs, isKnown: true, budget: () => BUDGET });
  }
}

const MORNING = 15 * DAY + 10 * HOUR;

function senderOfTwoWeeks({ seed, perMinute, rhythm }: Outage): Sender {
  const sender = new Sender(seed, (minute) => perMinute * rhythm(minute));
  sender.sendUntil(MORNING);
  return sender;
}

/** One that is to have the outage, and one that shows what chance alone does. */
const sendersWithAndWithout = (outage: Outage) =>
  [senderOfTwoWeeks(outage), senderOfTwoWeeks(outage)] as const;

describe('silences that were reported', () => {
  it('waits ten days after an outage at most 1.5 times as long as before, beyond what chance does without it', () => {
    fc.assert(
      fc.property(outages, (outage) => {
        const [sender, other] = sendersWithAndWithout(outage);
        const before = other.threshold();
        const first = sender.stop();
        sender.stayStoppedUntil(MORNING + outage.minutes);
        for (const each of [sender, other]) each.sendUntil(MORNING + 12 * DAY);
        expect(sender.threshold()).toBeLessThanOrEqual(1.5 * Math.max(before, other.threshold()));
        expect(sender.stop()).toBeLessThanOrEqual(1.5 * Math.max(first, other.stop()));
      }),
      RUNS,
    );
  });

  it('reports a second outage within ten days as soon as if there had been no first', () => {
    fc.assert(
      fc.property(outages, fc.integer({ min: 1, max: 7 }), (outage, quietDays) => {
        const [sender, other] = sendersWithAndWithout(outage);
        sender.stop();
        sender.stayStoppedUntil(MORNING + outage.minutes);
        const secondAt = MORNING + (Math.ceil(outage.minutes / DAY) + quietDays) * DAY;
        for (const each of [sender, other]) each.sendUntil(secondAt);
        expect(sender.stop()).toBeLessThanOrEqual(1.25 * other.stop() + 1);
      }),
      RUNS,
    );
  });

  it('waits longer for a silence from the fourth on, since the third was usual', () => {
    const sender = senderOfTwoWeeks({ seed: 11, perMinute: 0.5, rhythm: RHYTHMS.none });
    const thresholds = Array.from({ length: 4 }, () => {
      const threshold = sender.threshold();
      sender.stop();
      sender.sendUntil(sender.minute + 2 * DAY);
      return threshold;
    });
    const [first = Number.NaN, second = Number.NaN, third = Number.NaN, fourth] = thresholds;
    expect(Math.max(second, third)).toBeLessThanOrEqual(1.2 * first);
    expect(fourth).toBeGreaterThanOrEqual(1.4 * third);
  });

  it('takes back what the hours before the report have taught, and learns a silence of more than two days', () => {
    const silent = senderOfTwoWeeks({ seed: 3, perMinute: 0.02, rhythm: RHYTHMS.none });
    const waits = [0, 2 * DAY, 6 * DAY].map((minutes) => {
      silent.stayStoppedUntil(silent.minute + minutes);
      silent.sendUntil((Math.ceil(silent.minute / DAY) + 3) * DAY);
      return silent.stop();
    });
    const [before = Number.NaN, afterTwo, afterSix] = waits;
    expect(afterTwo).toBeLessThanOrEqual(1.1 * before);
    expect(afterSix).toBeGreaterThan(1.2 * before);
  });
});
