import type { SeriesGroup } from '../group/series-group.ts';
import type { RecentCounts } from '../series/recent-counts.ts';
import type { Side } from '../state/side.ts';
import type { Anomaly } from './anomaly.ts';
import { isTraffic } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import { type Member, placeOf } from './shared-cause.ts';

/** How much more likely one explanation makes what a place has sent: 20 times. Less says nothing of it. */
const MIN_EVIDENCE = 3;
/** A silence has no factor. */
const MAX_FACTOR = 100;
/** Fewer other places are no movement of the project, unless there are no more. */
const MIN_PLACES = 2;

/** A change of one series of traffic. */
export interface Movement {
  member: Member;
  anomaly: Pick<Anomaly, 'observed' | 'expected'>;
  side: Side;
  /** For how long others may have moved with it. */
  minutes: number;
  atMs: number;
}

/**
 * Whether the traffic of a project as a whole has moved like one of its series: whether, of the other places that show
 * anything, at least two, or all, are better explained by the same factor than by what is usual of them, and have half
 * of the usual traffic.
 */
export function isSharedMovement(
  { registry, group }: { registry: SeriesRegistry; group: SeriesGroup },
  { member, anomaly, side, minutes, atMs }: Movement,
): boolean {
  const factor = factorOf(anomaly);
  const recent = group.recentCountsBy({ side, minutes, timeMs: atMs });
  const own = placeOf(member);
  const others = new Map<string, Evidence>();
  for (let index = 0; index < registry.size; index++) {
    const series = registry.seriesAt(index);
    const place = placeOf(series);
    if (place === null || place === own || !isTraffic(series)) continue;
    const counts = recent(index);
    if (counts) others.set(place, add(others.get(place), counts, factor));
  }
  const telling = [...others.values()].filter(({ nats }) => Math.abs(nats) >= MIN_EVIDENCE);
  const moving = telling.filter(({ nats }) => nats > 0);
  const isBroad = moving.length >= MIN_PLACES || (moving.length > 0 && moving.length === telling.length);
  return isBroad && 2 * usualOf(moving) >= usualOf(telling);
}

/** Half an event is added to both: few events are mostly chance. */
function factorOf({ observed, expected }: Movement['anomaly']): number {
  return Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, (observed + 0.5) / (expected + 0.5)));
}

/** Of a place. */
interface Evidence {
  nats: number;
  usual: number;
}

/**
 * The log-likelihood ratio of Poisson counts x with the mean r·m against the mean m, x·ln r − (r − 1)·m, in units of the
 * dispersion (quasi-likelihood: McCullagh & Nelder, 1989, section 9.2). It is positive from the logarithmic mean of both
 * on, (r − 1)·m/ln r: of r = 3 from 1.8 times the usual, of r = 0.3 below 0.6.
 *
 * Domain: x ≥ 0, m ≥ 0, r > 0, φ ≥ 1. Exact but for rounding.
 */
function add(
  { nats, usual }: Evidence = { nats: 0, usual: 0 },
  counts: RecentCounts,
  factor: number,
): Evidence {
  const ratio = counts.observed * Math.log(factor) - (factor - 1) * counts.usual;
  return { nats: nats + ratio / counts.dispersion, usual: usual + counts.usual };
}

function usualOf(places: Evidence[]): number {
  return places.reduce((sum, { usual }) => sum + usual, 0);
}
