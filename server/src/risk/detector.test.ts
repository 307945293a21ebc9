import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Delta, detect, EMPTY_STATE, type ProjectState } from './detector.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const MINUTE_MS = 60_000;
const never = () => 0;

function delta(count: number, given: Partial<Delta> = {}): Delta {
  const bucketMs = given.bucketMs ?? NOW;
  return {
    type: 'checkout',
    source: 'shop',
    critical: false,
    bucketMs,
    count,
    lastMs: bucketMs + 4_999,
    ...given,
  };
}

/** A project whose series had so many errors in each minute of the past hour. */
function steady(perMinute: number, untilMs = NOW): ProjectState {
  let state = EMPTY_STATE;
  for (let minute = 60; minute >= 1; minute--) {
    const bucketMs = untilMs - minute * MINUTE_MS;
    ({ state } = detect(state, [delta(perMinute, { bucketMs })], never));
  }
  return state;
}

const rules = (deltas: Delta[], state = EMPTY_STATE, countFrom: (type: string) => number = never) =>
  detect(state, deltas, countFrom).alarms.map(({ rule }) => rule);

describe('the detector', () => {
  it('sees a burst from 10 errors within 60 seconds on', () => {
    expect(rules([delta(9)])).toEqual([]);
    expect(rules([delta(10)])).toEqual(['burst']);
    expect(detect(EMPTY_STATE, [delta(300)], never).alarms).toEqual([
      {
        rule: 'burst',
        type: 'checkout',
        source: 'shop',
        observed: 300,
        expected: 0,
        fromMs: NOW,
        toMs: NOW + 5_000,
      },
    ]);
  });

  it('adds up what comes little by little within the window', () => {
    let state = EMPTY_STATE;
    const seen: number[] = [];
    for (let second = 0; second <= 45; second += 5) {
      const result = detect(state, [delta(1, { bucketMs: NOW + second * 1_000 })], never);
      state = result.state;
      seen.push(result.alarms.length);
    }
    expect(seen).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('forgets what has left the window', () => {
    const { state } = detect(EMPTY_STATE, [delta(9)], never);
    expect(rules([delta(9, { bucketMs: NOW + 2 * MINUTE_MS })], state)).toEqual([]);
  });

  it('is told at once of any critical event', () => {
    expect(rules([delta(1, { critical: true })])).toEqual(['critical']);
    expect(rules([delta(1, { critical: true })], steady(1_000))).toEqual(['critical']);
  });

  it('takes the usual rate of a busy project for usual, and three times of it not', () => {
    const state = steady(20);
    expect(rules([delta(20)], state)).toEqual([]);
    // 59 of the hour's minutes are before the window: 59 × 20 / 60.
    expect(rules([delta(38)], state)).toEqual([]);
    expect(rules([delta(60)], state)).toEqual(['burst']);
  });

  it('stays quiet for an hour of the same rate', () => {
    let state = steady(12);
    for (let second = 0; second < 3_600; second += 5) {
      const result = detect(state, [delta(1, { bucketMs: NOW + second * 1_000 })], never);
      state = result.state;
      expect(result.alarms).toEqual([]);
    }
  });

  it('tells apart series, and names the largest where only all of them together are many', () => {
    const spread = Array.from({ length: 9 }, (_, index) => delta(1, { source: `s${index}` }));
    expect(rules(spread)).toEqual([]);
    const { alarms } = detect(EMPTY_STATE, [...spread, delta(2, { source: 'large' })], never);
    expect(alarms).toMatchObject([{ rule: 'spread', source: 'large' }]);
  });

  it('does not take a new series of a busy project for a burst of it', () => {
    expect(rules([delta(12, { source: 'new' })], steady(100))).toEqual([]);
  });

  it('restarts at a resolution: what its window held is history', () => {
    const { state } = detect(EMPTY_STATE, [delta(30)], never);
    const resolved = () => NOW + 5_000;
    const later = { bucketMs: NOW + 5_000 };
    expect(rules([delta(9, later)], state, resolved)).toEqual([]);
    expect(rules([delta(10, later)], state, resolved)).toEqual(['burst']);
    // What was received before it and is processed after it belongs to the incident that is over.
    expect(rules([delta(50)], state, resolved)).toEqual([]);
  });

  it('never alarms below 10 errors without a critical one', () => {
    const few = fc.array(fc.record({ source: fc.constantFrom('a', 'b', null), seconds: fc.nat(600) }), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(few, fc.nat(50), (events, perMinute) => {
        const deltas = events.map(({ source, seconds }) =>
          delta(1, { source, bucketMs: NOW + Math.floor(seconds / 5) * 5_000 }),
        );
        expect(rules(deltas)).toEqual([]);
        expect(rules(deltas.slice(0, 3), steady(Math.min(perMinute, 2)))).toEqual([]);
      }),
    );
  });

  const anyDelta = fc
    .record({
      type: fc.constantFrom('a', 'b'),
      source: fc.constantFrom('x', 'y', null),
      critical: fc.nat(29).map((roll) => roll === 0),
      bucket: fc.nat(15),
      count: fc.integer({ min: 1, max: 6 }),
    })
    .map(({ bucket, ...rest }) => delta(rest.count, { ...rest, bucketMs: NOW + bucket * 5_000 }));

  it('says the same in whatever order the counts of one look come', () => {
    const cases = fc
      .array(anyDelta, { maxLength: 20 })
      .chain((deltas) =>
        fc.tuple(fc.constant(deltas), fc.shuffledSubarray(deltas, { minLength: deltas.length }), fc.nat(40)),
      );
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).toSorted();
    const canonical = ({ state, alarms }: ReturnType<typeof detect>) => [
      sorted(alarms),
      sorted(
        state.series.map((own) => ({ ...own, recent: sorted(own.recent), history: sorted(own.history) })),
      ),
    ];
    fc.assert(
      fc.property(cases, ([deltas, shuffled, resolvedAt]) => {
        const countFrom = (type: string) => (type === 'a' ? NOW + resolvedAt * 5_000 : 0);
        expect(canonical(detect(EMPTY_STATE, shuffled, countFrom))).toEqual(
          canonical(detect(EMPTY_STATE, deltas, countFrom)),
        );
      }),
    );
  });

  it('leaves the state that it was given as it was', () => {
    const state = steady(3);
    const before = JSON.stringify(state);
    detect(state, [delta(5), delta(1, { critical: true, source: 'other' })], () => NOW);
    expect(JSON.stringify(state)).toBe(before);
  });

  it('keeps a bounded number of series and counts, whatever it is sent', () => {
    let state = EMPTY_STATE;
    for (let look = 0; look < 100; look++) {
      const bucketMs = NOW + look * MINUTE_MS;
      const deltas = Array.from({ length: 30 }, (_, index) =>
        delta(1, { type: `${look}`, source: `${index}`, bucketMs }),
      );
      ({ state } = detect(state, deltas, never));
      expect(state.series.length).toBeLessThanOrEqual(501);
    }
    for (const own of state.series) {
      expect(own.recent.length).toBeLessThanOrEqual(14);
      expect(own.history.length).toBeLessThanOrEqual(62);
    }
  });

  it('still sees a burst of a series beyond those that it tells apart', () => {
    const many = Array.from({ length: 500 }, (_, index) => delta(1, { source: `${index}` }));
    const { state } = detect(EMPTY_STATE, many, never);
    const later = detect(state, [delta(5_000, { source: 'one too many', bucketMs: NOW + 1_000_000 })], never);
    expect(later.alarms).toMatchObject([{ rule: 'burst', observed: 5_000 }]);
  });

  it('survives being written as JSON', () => {
    const state = steady(3);
    expect(detect(JSON.parse(JSON.stringify(state)) as ProjectState, [delta(40)], never)).toEqual(
      detect(state, [delta(40)], never),
    );
  });
});
