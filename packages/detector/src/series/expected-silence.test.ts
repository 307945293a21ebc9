import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { ExpectedSilence, type SilenceChange } from './expected-silence.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;

/** Budget of the silence of one series of fifty. */
const BUDGET = { budgetPerWeek: 0.02, rarity: 1 };

/** A sender whose silence is watched minute by minute. */
class Sender {
  silence = new ExpectedSilence();
  minute = 0;
  readonly changes: (SilenceChange & { minute: number })[] = [];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  run(
    minutes: number,
    rate: (minute: number) => number,
    isKnown = true,
  ): (SilenceChange & { minute: number })[] {
    const from = this.changes.length;
    for (let i = 0; i < minutes; i++) {
      this.silence.count(this.#random.poisson(rate(this.minute)));
      const timeMs = START_MS + this.minute * MINUTE_MS;
      const change = this.silence.endMinute({ timeMs, isKnown, budget: () => BUDGET });
      if (change) this.changes.push({ ...change, minute: this.minute });
      this.minute++;
    }
    return this.changes.slice(from);
  }
}

const steady = () => 18 / DAY;
const never = () => 0;
/** Nine a minute in the afternoon, one at four in the morning. */
const payments = (minute: number) => 5 - 4 * Math.cos((2 * Math.PI * (minute - 240)) / DAY);
/** From eight to six on working days; START_MS is a Monday. */
const office = (minute: number) =>
  Math.floor(minute / DAY) % 7 < 5 && minute % DAY >= 480 && minute % DAY < 1_080 ? 0.05 : 0;

describe('the silence of a sparse series', () => {
  it('names the time of the day where that makes more or less expected than at any time', () => {
    const silenceOf = (rate: (minute: number) => number) => {
      const sender = new Sender(4);
      expect(sender.run(15 * DAY + 16 * 60, rate)).toEqual([]);
      const [opened] = sender.run(120, never);
      expect(opened).toMatchObject({ kind: 'opens' });
      return opened;
    };
    expect(silenceOf(payments)).toHaveProperty('season', 'day');
    expect(silenceOf(() => 5)).not.toHaveProperty('season');
  });

  it('opens within a day where eighteen events a day were expected, and closes with the next event', () => {
    for (const seed of [1, 2, 3]) {
      const sender = new Sender(seed);
      expect(sender.run(15 * DAY, steady)).toEqual([]);
      const stoppedAt = sender.minute;
      const [opened, ...others] = sender.run(DAY, never);
      expect(opened).toMatchObject({ kind: 'opens' });
      expect(others).toEqual([]);
      expect((opened?.minute ?? 0) - stoppedAt).toBeLessThan(DAY);
      sender.silence.count(1);
      expect(sender.run(1, never)).toMatchObject([{ kind: 'closes' }]);
    }
  });

  it.each([
    ['steady', steady],
    ['of office hours', office],
  ])('foresees when a silence opens, within a tenth, of a sender that is %s', (_, rate) => {
    const sender = new Sender(6);
    const next = () => sender.silence.next(START_MS + sender.minute * MINUTE_MS, BUDGET);
    sender.run(10, rate);
    expect(next()).toBeNull();
    sender.run(15 * DAY, rate);
    const [foreseen, askedMs] = [next()?.dueMs ?? Number.NaN, START_MS + sender.minute * MINUTE_MS];
    const [opened] = sender.run(5 * DAY, never);
    const openedMs = START_MS + ((opened?.minute ?? Number.NaN) + 1) * MINUTE_MS;
    // The silence itself lowers the rates of its hours.
    expect(Math.abs(openedMs - foreseen)).toBeLessThan(0.1 * (openedMs - askedMs));
    // It was accepted after a day.
    expect(next()).toBeNull();
  });

  it.each([
    ['by night, of one event a minute', 3 * 60, 30],
    ['by day, of nine events a minute', 15 * 60, 4],
  ])('opens %s, within as many minutes as chance does not bring', (_, stopsAt, within) => {
    for (const seed of [21, 22, 23]) {
      const sender = new Sender(seed);
      expect(sender.run(15 * DAY + stopsAt, payments)).toEqual([]);
      const [opened] = sender.run(60, never);
      expect(opened).toMatchObject({ kind: 'opens' });
      expect((opened?.minute ?? 0) - 15 * DAY - stopsAt).toBeLessThanOrEqual(within);
    }
  });

  it('opens no silence in six weeks of a sender that flushes, or switches between two rates', () => {
    const random = new Random(31);
    const flushing = (minute: number) => (minute % 7 < 3 || random.uniform() < 0.3 ? 0 : 6);
    let isLow = false;
    const switching = () => {
      if (random.uniform() < (isLow ? 1 / 120 : 1 / 40)) isLow = !isLow;
      return isLow ? 1.4 : 3.8;
    };
    for (const rate of [flushing, switching]) {
      expect(new Sender(32).run(6 * 7 * DAY, rate)).toEqual([]);
    }
  });

  it('opens at its threshold also where a day ends within the silence', () => {
    for (const stopsAt of [0, 6, 12, 18]) {
      const sender = new Sender(33);
      sender.run(15 * DAY + stopsAt * 60, steady);
      const { threshold = Number.NaN } =
        sender.silence.next(START_MS + sender.minute * MINUTE_MS, BUDGET) ?? {};
      const [opened] = sender.run(2 * DAY, never);
      expect(opened).toMatchObject({ kind: 'opens' });
      expect(opened?.kind === 'opens' && opened.expected).toBeLessThan(1.1 * threshold);
    }
  });

  it('closes by itself after a day, and reports the same silence once', () => {
    const sender = new Sender(4);
    sender.run(15 * DAY, steady);
    const changes = sender.run(6 * DAY, never);
    expect(changes.map(({ kind }) => kind)).toEqual(['opens', 'closes']);
    expect((changes[1]?.minute ?? 0) - (changes[0]?.minute ?? 0)).toBe(DAY);
  });

  it('waits as long for a silence once one has been reported', () => {
    const sender = new Sender(11);
    sender.run(15 * DAY, steady);
    const silence = () => {
      const [opened] = sender.run(3 * DAY, never).filter(({ kind }) => kind === 'opens');
      if (opened?.kind !== 'opens') throw new Error('It has opened.');
      sender.run(8 * DAY, steady);
      return opened.expected;
    };
    const first = silence();
    expect(silence()).toBeLessThanOrEqual(1.1 * first);
  });

  it('does not expect after a burst what came in it', () => {
    const sender = new Sender(12);
    sender.run(15 * DAY, steady);
    sender.run(60, () => 5);
    expect(sender.run(3 * DAY, steady)).toEqual([]);
  });

  it('knows nights and weekends', () => {
    const sender = new Sender(5);
    expect(sender.run(6 * 7 * DAY, office)).toEqual([]);
    expect(sender.run(DAY, never)).toMatchObject([{ kind: 'opens' }]);
  });

  it('expects nothing in time of which nothing is known, and opens nothing in the first week', () => {
    const sender = new Sender(6);
    sender.run(4 * DAY, steady);
    expect(sender.run(2 * DAY, never)).toEqual([]);
    const older = new Sender(7);
    older.run(15 * DAY, steady);
    expect(older.run(3 * DAY, never, false)).toEqual([]);
    older.silence.skip(7 * DAY);
    expect(older.run(DAY / 8, never)).toEqual([]);
  });

  it('counts late events as a sign of life', () => {
    const sender = new Sender(8);
    sender.run(15 * DAY, steady);
    for (let hour = 0; hour < 3 * 24; hour++) {
      sender.silence.countLate();
      expect(sender.run(60, never)).toEqual([]);
    }
  });

  it('opens at most as often as its budget of one in fifty weeks allows, with a margin', () => {
    let opened = 0;
    for (let seed = 10; seed < 18; seed++) {
      const sender = new Sender(seed);
      opened += sender.run(12 * 7 * DAY, () => 0.05).filter(({ kind }) => kind === 'opens').length;
    }
    // 96 weeks, of which nine in ten are past the first.
    expect(opened).toBeLessThanOrEqual(4);
  });
});
