import { Random } from '@tocsin/simulation/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { SERIES_BYTES } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { opened, SimulatedSeries } from './testing.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

describe('a series', () => {
  it.each([0.01, 1, 20, 5_000])(
    'opens nothing for a series of steady %d a minute from its first minute on',
    (mean) => {
      expect(opened(new SimulatedSeries(1).run(3 * DAY, mean))).toEqual([]);
    },
  );

  it('opens one incident for a burst, in its first minute, and closes it an hour after it', () => {
    const series = new SimulatedSeries(2);
    series.run(2 * DAY, 20);
    const changes = [...series.run(5, 400), ...series.run(3 * HOUR, 20)];
    expect(changes.map(({ kind }) => kind)).toEqual(['opens', 'closes']);
    expect(changes[0]).toMatchObject({ side: UP, minute: 2 * DAY });
    expect((changes[1]?.minute ?? 0) - 2 * DAY).toBeLessThan(2 * HOUR);
  });

  it('opens one incident for silence within three minutes, and closes it when it sends again', () => {
    const series = new SimulatedSeries(3);
    series.run(2 * DAY, 20);
    const [silence] = series.run(HOUR, 0);
    expect(silence).toMatchObject({ kind: 'opens', side: DOWN });
    expect((silence?.minute ?? 0) - 2 * DAY).toBeLessThan(3);
    expect(series.run(3 * HOUR, 20).map(({ kind }) => kind)).toEqual(['closes']);
  });

  it('neither misses a rise nor raises false alarms in a new series', () => {
    const series = new SimulatedSeries(4);
    expect(opened(series.run(2 * HOUR, 30))).toEqual([]);
    expect(opened(series.run(5, 600))).toHaveLength(1);
  });

  it('ignores steps of unknown count', () => {
    const series = new SimulatedSeries(5);
    series.run(DAY, 20);
    expect(opened(series.run(6 * HOUR, Number.NaN))).toEqual([]);
    expect(opened(series.run(DAY, 20))).toEqual([]);
  });

  it('opens one incident for a level shift, and resolves it as the new baseline', () => {
    const series = new SimulatedSeries(6);
    series.run(2 * DAY, 20);
    const changes = series.run(2 * DAY, 80).filter(({ kind }) => kind !== 'suppressed');
    expect(changes.map(({ kind }) => kind)).toEqual(['opens', 'closes']);
    expect((changes[1]?.minute ?? 0) - (changes[0]?.minute ?? 0)).toBeLessThan(6 * HOUR);
  });

  it('opens no incident for slow growth', () => {
    expect(opened(new SimulatedSeries(7).run(14 * DAY, (minute) => 20 * 4 ** (minute / (14 * DAY))))).toEqual(
      [],
    );
  });

  it('keeps the incident of a long outage open until it sends again, whose return is no second alarm', () => {
    const series = new SimulatedSeries(8);
    series.run(3 * DAY, 50);
    expect(series.run(23 * HOUR, 0).map(({ kind }) => kind)).toEqual(['opens']);
    const after = series.run(DAY, 50);
    expect(after.filter(({ kind }) => kind === 'closes')).toHaveLength(1);
    expect(opened(after)).toEqual([]);
  });

  it('raises no second alarm on the way back from a level shift', () => {
    const series = new SimulatedSeries(9);
    series.run(3 * DAY, 50);
    series.run(2 * DAY, 200);
    const back = series.run(DAY, 50);
    expect(opened(back)).toEqual([]);
    expect(back.map(({ kind }) => kind)).toContain('recovers');
  });

  it('takes a rise by night for no return from the outage of an afternoon that is over', () => {
    const series = new SimulatedSeries(14);
    const byDay = (minute: number) => (minute % DAY < 360 ? 6 : 60);
    series.run(10 * DAY + 13 * HOUR, byDay);
    expect(opened(series.run(40, 0))).toHaveLength(1);
    series.run(2 * DAY - 10 * HOUR - 40, byDay);
    expect(opened(series.run(30, 22))).toHaveLength(1);
  });

  it('learns the time of day: a job of every night alarms in the first one only', () => {
    const series = new SimulatedSeries(10);
    const nightly = (minute: number) => (minute % DAY >= 180 && minute % DAY < 200 ? 200 : 10);
    series.run(DAY, nightly);
    const later = opened(series.run(4 * DAY, nightly));
    expect(later.filter((change) => 'side' in change && change.side === UP)).toEqual([]);
  });

  it('learns when nobody works: silence of every night alarms in the first one only', () => {
    const series = new SimulatedSeries(12);
    const worked = (minute: number) => (minute % DAY >= 540 && minute % DAY < 1_020 ? 60 : 0);
    series.run(DAY + 900, worked);
    const later = opened(series.run(4 * DAY, worked));
    expect(later.filter((change) => 'side' in change && change.side === DOWN)).toEqual([]);
  });

  it('reports a daily hour of silence on each day', () => {
    const series = new SimulatedSeries(13);
    const broken = (minute: number) => (minute % DAY >= 840 && minute % DAY < 900 ? 0 : 60);
    series.run(2 * DAY + 600, 60);
    expect(opened(series.run(3 * DAY, broken)).map(({ kind }) => kind)).toHaveLength(3);
  });

  it('reports once that an effect is too small', () => {
    const series = new SimulatedSeries(11);
    series.run(3 * DAY, 0);
    for (const count of [4, 0, 0]) series.step(count);
    expect(series.changes).toMatchObject([{ kind: 'suppressed', reason: 'small-effect', observed: 4 }]);
  });

  it('finds a burst at a look within the step exactly where the step would, with what has come so far', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.integer({ min: 0, max: 300 }), (seed, count) => {
        const [looked, stepped] = [new SimulatedSeries(seed), new SimulatedSeries(seed)];
        for (const series of [looked, stepped]) series.run(6 * HOUR, 8);
        const early = opened(looked.evaluatePartialStep(count));
        stepped.step(count);
        const late = opened(stepped.changes.filter(({ minute }) => minute === 6 * HOUR)).filter(
          (change) => 'observed' in change && change.side === UP,
        );
        expect(early.map((change) => ({ ...change, minute: 6 * HOUR }))).toEqual(late);
        looked.step(count);
        expect(looked.state.status(UP)).toBe(stepped.state.status(UP));
      }),
      { numRuns: rounds(20, 60) },
    );
  });

  it('changes nothing at a look within the step up to a count to which it stays uneventful', () => {
    const seeds = rounds(60, 200);
    let known = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const series = new SimulatedSeries(seed);
      series.run(6 * HOUR, 0.2 + (seed % 10));
      const count = seed % 7;
      if (series.evaluatePartialStep(count).length > 0) continue;
      const before = series.state.toBytes();
      const upTo = 2 * count + 3;
      if (!series.staysUneventful(count, upTo)) continue;
      known++;
      for (let later = count; later <= upTo; later++) expect(series.evaluatePartialStep(later)).toEqual([]);
      expect(series.state.toBytes()).toEqual(before);
    }
    expect(known).toBeGreaterThan(seeds / 10);
  });

  it('decides after saving and loading exactly as it would have without', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 2_000 }), (seed, minutes) => {
        const series = new SimulatedSeries(seed);
        const [copy, random] = [new SimulatedSeries(seed), new Random(seed)];
        series.run(minutes, 5);
        copy.minute = series.minute;
        copy.state = new SeriesState(series.state.toBytes());
        for (let i = 0; i < 300; i++) {
          const count = Math.floor(random.uniform() * (i > 200 ? 40 : 10));
          series.step(count);
          copy.step(count);
        }
        expect(copy.state.toBytes()).toEqual(series.state.toBytes());
        expect(copy.changes).toEqual(series.changes.filter(({ minute }) => minute >= minutes));
      }),
      { numRuns: rounds(10, 30) },
    );
  });

  it('fits into 2 kB', () => {
    expect(SERIES_BYTES).toBeLessThanOrEqual(1_712);
  });
});
