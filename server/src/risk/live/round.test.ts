import { DEFAULT_SETTINGS, type DetectorEvent, ProjectDetector } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it, vi } from 'vitest';
import { runToEnd } from '../../../test/support/run-to-end.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { applyRound, type Round } from './round.ts';

const DAY = 1_440;
const applyWhole = (...args: Parameters<typeof applyRound>) => runToEnd(applyRound(...args));

/** Rounds of one project, in which a source sends at random. */
class Rounds {
  readonly detectors = new Map<string, ProjectDetector>();
  readonly detectorEvents: DetectorEvent[] = [];
  minute = 0;
  readonly #random = new Random(3);
  #id = 0;

  apply(round: Partial<Round>): void {
    const nothing = {
      version: 1,
      sinceMs: 0,
      begun: [],
      set: [],
      resolved: [],
      counts: {},
      errors: {},
      downtimes: [],
    };
    const whole = { ...nothing, timeMs: START_MS + this.minute * MINUTE_MS, ...round, id: ++this.#id };
    const outcome = applyWhole(this.detectors, whole).get('shop');
    if (outcome?.fault) throw outcome.fault;
    this.detectorEvents.push(...(outcome?.detectorEvents ?? []));
  }

  run(minutes: number, rate: number): void {
    const begun = [{ projectId: 'shop', settings: DEFAULT_SETTINGS, firstIncident: 1 }];
    for (let i = 0; i < minutes; i++, this.minute++) {
      this.apply({ begun: this.minute === 0 ? begun : [], counts: this.count(this.#random.poisson(rate)) });
    }
  }

  count(count: number): Round['counts'] {
    const bucketMs = START_MS + this.minute * MINUTE_MS;
    const series = { type: 'order', severity: 'info', source: 'web' } as const;
    return { shop: [{ ...series, bucketMs, count, lastMs: bucketMs }] };
  }

  opened(): DetectorEvent[] {
    return this.detectorEvents.filter(({ kind }) => kind === 'opens');
  }
}

describe('rounds', () => {
  it('does not treat a minute as known of which a part is missing', () => {
    const rounds = new Rounds();
    rounds.run(DAY, 100);
    const beginMs = START_MS + rounds.minute * MINUTE_MS;
    rounds.apply({ counts: rounds.count(20), timeMs: beginMs + 50_000 });
    rounds.minute++;
    rounds.apply({ downtimes: [[beginMs + 5_000, beginMs + 50_000]] });
    expect(rounds.opened()).toEqual([]);
  });

  it('sees no drop in a rise that a person resolved within a minute', () => {
    const rounds = new Rounds();
    rounds.run(DAY, 100);
    rounds.run(3, 900);
    const [first] = rounds.opened();
    expect(first).toBeDefined();
    rounds.run(10, 100);
    rounds.apply({ counts: rounds.count(80) });
    rounds.apply({ resolved: [{ projectId: 'shop', incident: 1 }], counts: rounds.count(18) });
    rounds.minute++;
    rounds.run(30, 100);
    expect(rounds.opened()).toEqual([first]);
  });

  it('skips most of a long time in which nothing is known', () => {
    const rounds = new Rounds();
    rounds.run(DAY, 30);
    const fromMs = START_MS + rounds.minute * MINUTE_MS;
    rounds.minute += 400 * DAY;
    const toMs = START_MS + rounds.minute * MINUTE_MS;
    rounds.apply({ downtimes: [[fromMs, toMs]] });
    expect(rounds.detectors.get('shop')?.stepMs).toBe(toMs);
    rounds.run(30, 30);
    expect(rounds.opened()).toEqual([]);
    rounds.run(3, 0);
    expect(rounds.opened()).toMatchObject([{ anomaly: { rule: 'silence' } }]);
  });

  it('counts events by a clock that is a day ahead as of now', () => {
    const rounds = new Rounds();
    rounds.run(DAY, 30);
    const ahead =
      rounds.count(300).shop?.map((delta) => ({ ...delta, bucketMs: delta.bucketMs + 1e8 })) ?? [];
    rounds.apply({ counts: { shop: ahead } });
    expect(rounds.opened()).toMatchObject([{ atMs: START_MS + (rounds.minute + 1) * MINUTE_MS }]);
  });

  it('evaluates a project beside another one that begins with 200,000 types', () => {
    const detectors = new Map<string, ProjectDetector>();
    const series = { severity: 'error', source: 'web', bucketMs: START_MS, lastMs: START_MS } as const;
    const storm = Array.from({ length: 200_000 }, (_, i) => ({ ...series, type: `type-${i}`, count: 1 }));
    const outcomes = applyWhole(detectors, {
      id: 1,
      version: 1,
      sinceMs: 0,
      begun: ['storm', 'shop'].map((projectId) => ({
        projectId,
        settings: DEFAULT_SETTINGS,
        firstIncident: 1,
      })),
      set: [],
      resolved: [],
      counts: { storm, shop: [{ ...series, type: 'checkout', count: 300 }] },
      errors: {},
      timeMs: START_MS + 10_000,
      downtimes: [],
    });
    expect(outcomes.get('storm')?.fault).toBeUndefined();
    expect(outcomes.get('shop')?.detectorEvents[0]).toMatchObject({ kind: 'opens' });
  });

  it('evaluates at most two days of a project that begins with counts of months ago', () => {
    const endStep = vi.spyOn(ProjectDetector.prototype, 'endStepsBefore');
    const series = { type: 'checkout', severity: 'error', source: 'web' } as const;
    const countAt = (bucketMs: number, count: number) => ({ ...series, bucketMs, lastMs: bucketMs, count });
    const nowMs = START_MS + 90 * DAY * MINUTE_MS;
    const outcome = applyWhole(new Map(), {
      id: 1,
      version: 1,
      sinceMs: 0,
      begun: [{ projectId: 'shop', settings: DEFAULT_SETTINGS, firstIncident: 1 }],
      set: [],
      resolved: [],
      counts: { shop: [countAt(START_MS, 7), countAt(nowMs, 300)] },
      errors: {},
      timeMs: nowMs + 10_000,
      downtimes: [],
    }).get('shop');
    const steps = endStep.mock.calls.length;
    endStep.mockRestore();
    expect(steps).toBeGreaterThan(DAY);
    expect(steps).toBeLessThanOrEqual(2 * DAY);
    expect(outcome?.lateEvents).toBe(7);
    expect(outcome?.detectorEvents[0]).toMatchObject({ kind: 'opens', anomaly: { observed: 300 } });
  });

  it('leaves out a project that failed in a round when the round is applied again', () => {
    const rounds = new Rounds();
    rounds.run(10, 30);
    rounds.apply({ counts: rounds.count(300), failed: ['shop'] });
    expect(rounds.opened()).toEqual([]);
    expect(rounds.detectors.has('shop')).toBe(false);
  });
});
