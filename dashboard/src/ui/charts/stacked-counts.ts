import type { Bucket, Severity } from '../../lib/api-types.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import type { TimeSlot } from './chart-time.ts';

/** Events of a time slot: the data of a bar, its readout and a row of its table. */
export interface Slot extends TimeSlot {
  counts: Record<Severity, number>;
  total: number;
}

/** Converts buckets to slots. Their length follows from the first two unless it is given. */
export function toSlots(buckets: Bucket[], fromMs: number, toMs: number, intervalMs?: number): Slot[] {
  const starts = buckets.map(({ start }) => Date.parse(start));
  const [first, second] = starts;
  const measured =
    first !== undefined && second !== undefined ? second - first : toMs - Math.max(fromMs, first ?? fromMs);
  const lengthMs = intervalMs ?? measured;
  return buckets.map(({ info, warn, error, critical }, index) => {
    const startMs = starts[index] ?? fromMs;
    const counts = { info, warn, error, critical };
    return { startMs, endMs: startMs + lengthMs, counts, total: info + warn + error + critical };
  });
}

export function sumOf(slots: Slot[]): Record<Severity, number> {
  const sum = { info: 0, warn: 0, error: 0, critical: 0 };
  for (const { counts } of slots) for (const severity of SEVERITIES) sum[severity] += counts[severity];
  return sum;
}

/** Returns the bounds of the slots that a range touches; null if it touches none. */
export function wholeSlots(
  slots: Slot[],
  fromMs: number,
  toMs: number,
): { fromMs: number; toMs: number } | null {
  const touched = slots.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
  const [first, last] = [touched[0], touched.at(-1)];
  return first && last ? { fromMs: first.startMs, toMs: last.endMs } : null;
}

/** Minimum height of a layer: a single critical event among thousands must be visible. */
const MIN_LAYER_PIXELS = 2;

/**
 * Returns the heights of a bar's layers: in proportion, but every layer with an event stays visible.
 * @param ratio number of canvas pixels per page pixel
 */
export function layerHeights(
  counts: Record<Severity, number>,
  pixelsPerEvent: number,
  ratio = 1,
): Record<Severity, number> {
  const heightOf = (count: number) =>
    count === 0 ? 0 : Math.max(Math.round(MIN_LAYER_PIXELS * ratio), Math.round(count * pixelsPerEvent));
  const { info, warn, error, critical } = counts;
  return {
    info: heightOf(info),
    warn: heightOf(warn),
    error: heightOf(error),
    critical: heightOf(critical),
  };
}

/**
 * Returns the severities that are drawn as bars: the chosen one, or else warnings and worse: above a hundred times as
 * many events of severity info they would be a thin line. If there are no others, events of severity info are the bars.
 */
export function severitiesInFront(sum: Record<Severity, number>, only: Severity | null): Severity[] {
  if (only) return [only];
  const worse = SEVERITIES.filter((severity) => severity !== 'info' && sum[severity] > 0);
  return worse.length > 0 ? worse : ['info'];
}
