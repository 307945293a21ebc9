import type { Evidence, Incident, RiskSeries } from '../../../lib/api-types.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { isAboutAbsence } from './evidence-words.ts';

type Search = EventSearch & Scope;

/** A sum counts the same events once more: its joining does not widen the search. */
const SUMS: ReadonlySet<string> = new Set(['total', 'errors', 'other']);

/** Where events are missing, the search shows those before. */
const MIN_BEFORE_MS = 30 * 60_000;

/**
 * The address of the events page for the events behind an incident: its project, what its series have in common and
 * its time; where events are missing, also the time before.
 * @param toMs now, for an incident that is not over
 */
export function seriesSearch({ evidence, resolvedAt, projectId }: Incident, toMs: number): Search {
  return {
    project: projectId,
    range: undefined,
    ...(evidence && {
      ...commonFilter([evidence.series, ...evidence.alsoSeries.filter(({ kind }) => !SUMS.has(kind))]),
      from: beginOf(evidence),
      to: resolvedAt ?? new Date(toMs).toISOString(),
    }),
  };
}

function beginOf(evidence: Evidence): string {
  if (!isAboutAbsence(evidence)) return evidence.from;
  const beforeMs = Math.max(MIN_BEFORE_MS, evidence.windowSeconds * 1_000);
  return new Date(Date.parse(evidence.from) - beforeMs).toISOString();
}

type SeriesFilter = Pick<EventSearch, 'type' | 'severity' | 'source' | 'fingerprint'>;

/** The page filters by one value each: only what all series share narrows it. */
function commonFilter(all: RiskSeries[]): SeriesFilter {
  const [first = {}, ...others] = all.map(filterOf);
  const shared = Object.entries(first).filter(([name, value]) =>
    others.every((filter) => filter[name as keyof SeriesFilter] === value),
  );
  return Object.fromEntries(shared);
}

function filterOf({ kind, type, severity, source, fingerprint }: RiskSeries): SeriesFilter {
  return {
    ...(type !== null && { type }),
    // Payments have a type of their own; how many of them failed the page cannot ask.
    ...(kind === 'failed_payments' && { type: 'payment' }),
    ...(severity !== null && { severity }),
    ...(source !== null && { source }),
    ...(fingerprint !== null && { fingerprint }),
  };
}
