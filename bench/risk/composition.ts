import type { CountDelta } from '@tocsin/detector';
import type { Random } from '@tocsin/simulation/random';
import type { Stream } from '@tocsin/simulation/stream';
import { KINDS, type KindName, meanOf, SERIES } from '@tocsin/simulation/streams';

/**
 * `info`: thirty series of severity info. `mixed`: nineteen of them, three of warnings and six of errors from the same
 * sources, and payments with those that fail. `clumped`: the same, and about once a week one payer tries ten times within a
 * minute.
 */
export type Composition = 'info' | 'mixed' | 'clumped';

export interface SimulatedSeries {
  key: Pick<CountDelta, 'type' | 'severity' | 'source'>;
  mean: number;
  draw: Stream;
}

const MIXED_INFO = 19;
/** Events a minute, evenly spread by logarithm: what an ordinary project sends. */
const INFO_MEANS = [0.02, 400] as const;
const WARNINGS = 3;
const ERRORS = 6;
const TROUBLE_MEANS = [0.002, 2] as const;
const PAYMENT_MEANS = [0.2, 50] as const;
/** Payments that fail: usually 3%, a share that wanders (log-normal, σ 0.4, with a memory of six hours). */
const FAILING = { share: 0.03, sigma: 0.4, minutes: 360 };

const RETRIES = { count: 10, perMinute: 1 / 10_080 };

/** The series of a project, all of one kind of stream, which are independent of each other. */
export function createSeries(composition: Composition, kind: KindName, random: Random): SimulatedSeries[] {
  const of = (severity: CountDelta['severity'], source: number, mean: number): SimulatedSeries => ({
    key: { type: 'event', severity, source: String(source) },
    mean,
    draw: KINDS[kind](random, mean),
  });
  if (composition === 'info') return Array.from({ length: SERIES }, (_, i) => of('info', i, meanOf(i)));
  const spread = (range: readonly [number, number], i: number, count: number) =>
    between(range, (i + 0.5) / count);
  return [
    ...Array.from({ length: MIXED_INFO }, (_, i) => of('info', i, spread(INFO_MEANS, i, MIXED_INFO))),
    ...Array.from({ length: WARNINGS }, (_, i) => of('warn', 6 * i, spread(TROUBLE_MEANS, i, WARNINGS))),
    ...Array.from({ length: ERRORS }, (_, i) => of('error', 3 * i, spread(TROUBLE_MEANS, i, ERRORS))),
    ...createPayments(kind, random, composition === 'clumped'),
  ];
}

function between([least, most]: readonly [number, number], part: number): number {
  return least * (most / least) ** part;
}

/** Creates the series of payments that succeed and of those that fail. */
function createPayments(kind: KindName, random: Random, isClumped: boolean): SimulatedSeries[] {
  const mean = between(PAYMENT_MEANS, random.uniform());
  const drawAll = KINDS[kind](random, mean);
  const keep = Math.exp(-1 / FAILING.minutes);
  let state = random.normal();
  let failed = 0;
  const drawSucceeded: Stream = (minute, factor) => {
    const all = drawAll(minute, factor);
    state = keep * state + Math.sqrt(1 - keep * keep) * random.normal();
    const share = FAILING.share * Math.exp(FAILING.sigma * state - FAILING.sigma ** 2 / 2);
    failed = 0;
    for (let payment = 0; payment < all; payment++) if (random.uniform() < share) failed++;
    const succeeded = all - failed;
    if (isClumped && random.uniform() < RETRIES.perMinute) failed += RETRIES.count;
    return succeeded;
  };
  const key = { type: 'payment', source: 'checkout' } as const;
  return [
    { key: { ...key, severity: 'info' }, mean: mean * (1 - FAILING.share), draw: drawSucceeded },
    { key: { ...key, severity: 'error' }, mean: mean * FAILING.share, draw: () => failed },
  ];
}
