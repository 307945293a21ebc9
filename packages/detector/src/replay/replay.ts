import { createBook, join, leave, takeEnded } from '../project/alarm-grouping.ts';
import { severityOf } from '../project/severity.ts';
import { seasonalPositionOf } from '../series/seasonality.ts';
import { createSeries, step } from '../series/series-detector.ts';
import { resolutionOf } from '../state/resolution.ts';
import { UP } from '../state/series-state.ts';
import type { Severity } from '../types.ts';

/** Counts at equal steps. */
export interface PastCounts {
  startMs: number;
  stepMinutes: number;
  /** NaN where the count is not known. */
  counts: ArrayLike<number>;
}

export interface PastIncident {
  openedAtMs: number;
  /** Null where it was still open at the end. */
  resolvedAtMs: number | null;
  direction: 'up' | 'down';
  observed: number;
  expected: number;
  windowSeconds: number;
  severity: Severity;
}

const MINUTE_MS = 60_000;
/** A series shares the budget of its project with the project's total. */
const SHARE = 1 / 2.1;

/**
 * The incidents that would have opened for a series that is alone in its project, by the functions that watch the
 * live ones. An incident opens, and resolves, at the beginning of the step that decided it.
 */
export function replay({ startMs, stepMinutes, counts }: PastCounts, budgetPerWeek: number): PastIncident[] {
  const resolution = resolutionOf(stepMinutes);
  const context = { resolution, lent: null, budgetPerWeek: budgetPerWeek * SHARE };
  const memory = createSeries(context, 1);
  const book = createBook();
  const found = new Map<number, PastIncident>();
  for (let i = 0; i < counts.length; i++) {
    const atMs = startMs + i * stepMinutes * MINUTE_MS;
    const changes = step(
      memory,
      { ...context, position: seasonalPositionOf(resolution, atMs) },
      counts[i] as number,
    );
    for (const change of changes) {
      if (change.kind === 'closes') leave(book, { series: '0', side: change.side });
      if (change.kind !== 'opens') continue;
      const { side, observed, expected, window } = change;
      const { incident, isNew } = join(book, { series: '0', side }, atMs);
      if (!isNew) continue;
      found.set(incident.number, {
        openedAtMs: atMs,
        resolvedAtMs: null,
        direction: side === UP ? 'up' : 'down',
        observed,
        expected,
        windowSeconds: (resolution.windows[window] as number) * stepMinutes * 60,
        severity: severityOf(side, observed, expected),
      });
    }
    for (const number of book.incidents.length > 0 ? takeEnded(book, atMs) : []) {
      const incident = found.get(number);
      if (incident) incident.resolvedAtMs = atMs;
    }
  }
  return [...found.values()];
}
