import type { CoarseGroup } from '../group/coarse-group.ts';
import type { SeriesGroup } from '../group/series-group.ts';
import type { SparseSeries } from '../group/sparse-series.ts';
import { MIN_EVIDENCE } from '../series/excess.ts';
import { type RecentCounts, recentCounts } from '../series/recent-counts.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { type Side, UP } from '../state/side.ts';
import type { Anomaly } from './anomaly.ts';
import { isTraffic } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import { type Member, placeOf } from './shared-cause.ts';

/** Maximum factor of a movement: the expected count is an estimate. */
const MAX_FACTOR = 100;
const MIN_EXPECTED = 0.1;
/** Minimum other places of a movement of the project, unless there are no more. */
const MIN_PLACES = 2;

/** Change of one series of traffic. */
export interface Movement {
  member: Member;
  anomaly: Pick<Anomaly, 'observed' | 'expected'>;
  side: Side;
  /** Minutes within which others may have moved with it. */
  minutes: number;
  atMs: number;
}

/**
 * True if the traffic of a project as a whole has moved like one of its series: of the other places with enough evidence, all are
 * better explained by the same factor than by their usual traffic, or at least two that are half of these places or have
 * half of their usual traffic.
 */
export function isSharedMovement(
  { registry, group }: { registry: SeriesRegistry; group: SeriesGroup },
  { member, anomaly, side, minutes, atMs }: Movement,
): boolean {
  const factor = factorOf(anomaly, side);
  const { resolution } = group;
  const position = seasonalPositionOf(resolution, atMs);
  const steps = Math.max(1, Math.round(minutes / resolution.stepMinutes));
  const own = placeOf(member);
  const others = new Map<string, Evidence>();
  for (const [index, series] of registry.all.entries()) {
    const place = placeOf(series);
    if (place === null || place === own || !isTraffic(series)) continue;
    const counts = recentCounts(group.series.read(index).state, { resolution, position, side, steps });
    if (counts) others.set(place, add(others.get(place), counts, factor));
  }
  const telling = [...others.values()].filter(({ nats }) => Math.abs(nats) >= MIN_EVIDENCE);
  const moving = telling.filter(({ nats }) => nats > 0);
  if (moving.length > 0 && moving.length === telling.length) return true;
  const isMost = 2 * moving.length >= telling.length || 2 * usualOf(moving) >= usualOf(telling);
  return moving.length >= MIN_PLACES && isMost;
}

/**
 * True if the traffic of a series' place, or all of the project's, had an alarm on a side within so many minutes; or any
 * traffic one at coarse steps that is over: where all of it changes slowly these alone show it, one after the other.
 */
export function hadTrafficAlarm(
  { registry, group, sparse }: { registry: SeriesRegistry; group: SeriesGroup; sparse: SparseSeries },
  { member, side, minutes }: Pick<Movement, 'member' | 'side' | 'minutes'>,
): boolean {
  const place = placeOf(member);
  for (const [index, series] of registry.all.entries()) {
    if (!isTraffic(series)) continue;
    const holds = series.kind === 'total' || placeOf(series) === place;
    if (holds && group.series.read(index).hadAlarm(side, minutes)) return true;
    const hadClosed = ({ group: coarse }: CoarseGroup) => coarse.series.read(index).hadClosed(side, minutes);
    if (sparse.groupsOf(index).some(hadClosed)) return true;
  }
  return false;
}

/**
 * Returns the least factor that the count of an alarm allows: two standard deviations nearer to the expected one, of the root
 * of a Poisson count, which is ½ (Anscombe, 1948). A silence of 12 expected events may be a quarter of them.
 */
function factorOf({ observed, expected }: Movement['anomaly'], side: Side): number {
  const root = Math.sqrt(observed + 3 / 8);
  const nearest = side === UP ? Math.max(0, root - 1) ** 2 : (root + 1) ** 2;
  const factor = nearest / Math.max(MIN_EXPECTED, expected);
  return side === UP
    ? Math.min(MAX_FACTOR, Math.max(1, factor))
    : Math.max(1 / MAX_FACTOR, Math.min(1, factor));
}

/** Evidence of a place for a movement, and its usual events. */
interface Evidence {
  nats: number;
  usual: number;
}

/**
 * Adds the log-likelihood ratio of Poisson counts x with the mean r·m against the mean m, x·ln r − (r − 1)·m, in units of the
 * dispersion (quasi-likelihood: McCullagh & Nelder, 1989). It is positive from the logarithmic mean of both
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
