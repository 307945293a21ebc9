import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import {
  createShare,
  endMinute,
  evaluateShare,
  rearmShare,
  setOutcomes,
  skipToMinute,
} from './share-detector.ts';
import type { ShareCriteria, ShareExceedance } from './share-exceedance.ts';
import { ShareState } from './share-state.ts';

const DAY = 1_440;
const WEEK = 7 * DAY;
const CRITERIA: ShareCriteria = {
  isReported: () => false,
  mayOpen: () => true,
  budgetPerWeek: 0.1,
  rarity: 1,
  minRatio: 1.6,
  minOthers: 0,
  clumps: null,
};
/** First minute, since 1970. */
const FIRST_MINUTE = 29_000_000;

/** Payments with a usual failure share of 3%, whose logarithm wanders by σ = 0.4 and fades within two hours. */
class Payments {
  state = createShare(FIRST_MINUTE);
  readonly #random: Random;
  readonly #perMinute: number;
  #wandering: number;
  paid = 0;

  constructor(seed: number, perMinute: number) {
    this.#random = new Random(seed);
    this.#perMinute = perMinute;
    this.#wandering = this.#random.normal();
  }

  /** @param share share of failures; missing: the usual one */
  step(share?: number, criteria: ShareCriteria = CRITERIA): ShareExceedance | null {
    const keep = Math.exp(-1 / 120);
    this.#wandering = keep * this.#wandering + Math.sqrt(1 - keep * keep) * this.#random.normal();
    const usual = 0.03 * Math.exp(0.4 * this.#wandering - 0.08);
    const trials = this.#random.poisson(this.#perMinute);
    let failures = 0;
    for (let i = 0; i < trials; i++) if (this.#random.uniform() < (share ?? usual)) failures++;
    this.paid += trials;
    setOutcomes(this.state, { failures, trials });
    const exceedance = evaluateShare(this.state, criteria);
    endMinute(this.state);
    return exceedance;
  }

  run(minutes: number): number {
    let alarms = 0;
    for (let i = 0; i < minutes; i++) if (this.step()) alarms++;
    return alarms;
  }

  /** @returns the minutes and payments until it is found */
  find(share: number): { minutes: number; payments: number; exceedance: ShareExceedance } {
    this.paid = 0;
    for (let minutes = 1; minutes <= DAY; minutes++) {
      const exceedance = this.step(share);
      if (exceedance) return { minutes, payments: this.paid, exceedance };
    }
    throw new Error('It was not found within a day.');
  }
}

const SEEDS = [1, 2, 3, 4, 5];

describe('the share of payments that fail', () => {
  it.each([
    [0.2, 10],
    [1, 12],
    [20, 40],
  ])('finds payments that all fail, %d a minute, within few of them', (perMinute, payments) => {
    for (const seed of SEEDS) {
      const project = new Payments(seed, perMinute);
      project.run(4 * DAY);
      const found = project.find(1);
      expect(found.payments).toBeLessThanOrEqual(payments);
      expect(found.exceedance.usualShare).toBeGreaterThan(0.005);
      expect(found.exceedance.usualShare).toBeLessThan(0.1);
    }
  });

  it('finds 10% failing of 20 payments a minute within 20 minutes in half of the times of day', () => {
    const found = SEEDS.flatMap((seed) => {
      const project = new Payments(seed, 20);
      project.run(2 * WEEK);
      return Array.from({ length: 12 }, () => {
        project.run(4 * 60);
        const saved = project.state.toBytes().slice();
        const isFound = Array.from({ length: 20 }, () => project.step(0.1)).some((found) => found !== null);
        project.state = new ShareState(saved);
        return isFound;
      });
    });
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(found.length / 2);
  });

  it('finds a share as soon as before after it was reported, and asks for no more', () => {
    const errors = { ...CRITERIA, clumps: { minDispersion: 1, minVariance: 0.1 } };
    const project = new Payments(2, 20);
    const fail = (share?: number) => project.step(share, errors);
    const minutesTo = (share: number) => {
      for (let minutes = 1; minutes <= DAY; minutes++) if (fail(share)) return minutes;
      throw new Error('It was not found within a day.');
    };
    for (let minute = 0; minute < 8 * DAY; minute++) fail();
    const before = project.state.maxEvidence;
    minutesTo(0.3);
    for (let minute = 0; minute < DAY; minute++) fail(minute < 30 ? 0.3 : undefined);
    expect(project.state.maxEvidence).toBeLessThanOrEqual(before);
    expect(minutesTo(0.3)).toBeLessThanOrEqual(10);
  });

  it.each([
    ['the counts report', { isReported: () => true }],
    ['may open nothing', { mayOpen: () => false }],
  ])('asks for more than a share that %s, up to a limit', (_name, opensNothing) => {
    const project = new Payments(2, 20);
    const errors = { ...CRITERIA, clumps: { minDispersion: 1, minVariance: 0.1 }, ...opensNothing };
    for (let minute = 0; minute < 2 * DAY; minute++) project.step(undefined, errors);
    const before = project.state.maxEvidence;
    for (let minute = 0; minute < DAY; minute++) project.step(minute < 30 ? 0.5 : undefined, errors);
    expect(project.state.maxEvidence).toBeGreaterThan(before + 5);
    expect(project.state.maxEvidence).toBeLessThanOrEqual(20);
  });

  it('finds 20% failing of 20 payments a minute within half an hour', () => {
    for (const seed of SEEDS) {
      const project = new Payments(seed, 20);
      project.run(4 * DAY);
      expect(project.find(0.2).minutes).toBeLessThanOrEqual(30);
    }
  });

  it.each([0.2, 4, 50])('stays within the budget while it wanders, at %d payments a minute', (perMinute) => {
    const weeks = 3;
    const alarms = SEEDS.reduce((sum, seed) => sum + new Payments(seed, perMinute).run(weeks * WEEK), 0);
    // 1.5 are expected; more than 5 come by chance in 4 of 1,000 runs.
    expect(alarms).toBeLessThanOrEqual(5);
  });

  it('keeps an alarm open while the share is high, and closes it by minutes after it is usual again', () => {
    for (const perMinute of [0.2, 1, 20]) {
      const project = new Payments(7, perMinute);
      project.run(4 * DAY);
      project.find(1);
      for (let minute = 0; minute < 6 * 60; minute++) project.step(1);
      expect(project.state.isOpen).toBe(true);
      let minutes = 0;
      while (project.state.isOpen) {
        project.step(0.03);
        minutes++;
      }
      expect(minutes).toBeGreaterThanOrEqual(30);
      expect(minutes).toBeLessThanOrEqual(perMinute < 1 ? 240 : 60);
      for (let minute = 0; minute < DAY; minute++) expect(project.step(0.03)).toBeNull();
    }
  });

  it('closes an alarm after a day without payments, and after a day or two of a share that stays', () => {
    const vanished = new Payments(7, 5);
    vanished.run(4 * DAY);
    vanished.find(1);
    const lasting = new Payments(7, 5);
    lasting.run(4 * DAY);
    lasting.find(0.3);
    for (let minute = 0; minute < 2 * DAY; minute++) {
      if (minute === DAY - 60) expect([vanished.state.isOpen, lasting.state.isOpen]).toEqual([true, true]);
      setOutcomes(vanished.state, { failures: 0, trials: 0 });
      endMinute(vanished.state);
      lasting.step(0.3);
    }
    expect([vanished.state.isOpen, lasting.state.isOpen]).toEqual([false, false]);
  });

  it('opens again for failures that go on after a person has resolved the incident', () => {
    const project = new Payments(3, 5);
    project.run(4 * DAY);
    project.find(1);
    for (let minute = 0; minute < 30; minute++) project.step(1);
    rearmShare(project.state);
    expect(project.find(1).minutes).toBeLessThanOrEqual(5);
  });

  it('opens nothing for ten tries of one payer after a person has resolved the incident', () => {
    const project = new Payments(3, 5);
    project.run(4 * DAY);
    project.find(1);
    rearmShare(project.state);
    project.run(15);
    setOutcomes(project.state, { failures: 10, trials: 15 });
    expect(evaluateShare(project.state, CRITERIA)).toBeNull();
  });

  it.each([
    [4, 2],
    [4, 3],
    [20, 2],
  ])('opens nothing for ten tries of one payer at %d payments a minute, over %d minutes', (rate, minutes) => {
    const project = new Payments(3, rate);
    project.run(4 * DAY);
    for (let minute = 0; minute < minutes; minute++) {
      const failures = Math.floor((10 * (minute + 1)) / minutes) - Math.floor((10 * minute) / minutes);
      setOutcomes(project.state, { failures, trials: rate + failures });
      expect(evaluateShare(project.state, CRITERIA)).toBeNull();
      endMinute(project.state);
    }
    for (let minute = 0; minute < 30; minute++) expect(project.step(0.03)).toBeNull();
  });

  it.each([
    [4, 3],
    [20, 1],
  ])(
    'finds an outage at %d payments a minute within %d minutes, where no one pays meanwhile',
    (rate, minutes) => {
      const project = new Payments(3, rate);
      project.run(4 * DAY);
      const found = Array.from({ length: minutes }, () => {
        setOutcomes(project.state, { failures: rate, trials: rate });
        const exceedance = evaluateShare(project.state, CRITERIA);
        endMinute(project.state);
        return exceedance;
      });
      expect(found.some((exceedance) => exceedance !== null)).toBe(true);
    },
  );

  it('opens nothing in its first quarter of an hour, nor for a project whose payments always failed', () => {
    const project = new Payments(2, 10);
    for (let minute = 0; minute < 15; minute++) expect(project.step(1)).toBeNull();
    const failing = new Payments(2, 10);
    for (let minute = 0; minute < DAY; minute++) expect(failing.step(0.6)).toBeNull();
  });

  it('goes on after a gap as if nothing had come in it', () => {
    const project = new Payments(4, 5);
    project.run(4 * DAY);
    skipToMinute(project.state, FIRST_MINUTE + 6 * DAY);
    expect(project.state.minute).toBe(6 * DAY);
    expect(project.find(1).minutes).toBeLessThanOrEqual(5);
  });

  it('saves and loads a share without a loss, in at most 700 bytes', () => {
    const [project, copy] = [new Payments(6, 5), new Payments(6, 5)];
    for (const each of [project, copy]) each.run(DAY);
    const saved = copy.state.toBytes();
    copy.state = new ShareState(saved);
    expect(copy.find(0.5)).toEqual(project.find(0.5));
    expect(saved.length).toBeLessThanOrEqual(700);
  });
});
