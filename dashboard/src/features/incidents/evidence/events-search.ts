import type { Incident } from '../../../lib/api-types.ts';
import { MINUTE_MS } from '../../../lib/durations.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';

/** Minimum time before a drop that its search shows. */
const MIN_BEFORE_MS = 30 * MINUTE_MS;
/** Margin for a reader's clock that is behind the service's: it lists the newest events, too. */
const MARGIN_MS = MINUTE_MS;

type Search = EventSearch & Scope;

/**
 * Returns the search for exactly the events that an incident counts; if it counts none, for those before it.
 * @param toMs end of the range; the present for an incident that is not over
 */
export function eventsSearch(incident: Incident, toMs: number): Search {
  const { eventsQuery, projectId, until, updatedAt } = incident;
  const { incident_id, from, to } = eventsQuery.params;
  return {
    project: projectId,
    range: undefined,
    ...(incident_id !== undefined && { incident_id }),
    from: from ?? beginOf(incident),
    to:
      to ??
      new Date(
        until ? Date.parse(until) + 1 : Math.max(toMs, Date.parse(updatedAt)) + MARGIN_MS,
      ).toISOString(),
  };
}

function beginOf({ since, eventsQuery, evidence }: Incident): string {
  if (eventsQuery.says === 'counted') return since;
  const beforeMs = Math.max(MIN_BEFORE_MS, (evidence?.windowSeconds ?? 0) * 1_000);
  return new Date(Date.parse(since) - beforeMs).toISOString();
}

/** Returns the same time range without the incident's filters: for all events of a user, for example. */
export function timeSearch(incident: Incident, toMs: number): Scope {
  const { project, range, from, to } = eventsSearch(incident, toMs);
  return { project, range, from, to };
}
