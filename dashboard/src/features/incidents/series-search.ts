import type { Event, Incident } from '../../lib/api-types.ts';
import type { EventSearch } from '../../lib/event-search.ts';
import type { Scope } from '../../lib/scope.ts';

type Search = EventSearch & Scope;

/**
 * The address of the events page for the events behind an incident: its project, its series and its time. A severity
 * is named only where all of them have it; the page cannot ask for errors and worse.
 * @param toMs now, for an incident that is not over
 */
export function seriesSearch(incident: Incident, events: Event[], toMs: number): Search {
  const { evidence, resolvedAt, projectId } = incident;
  const [first] = events;
  const severity = events.every((event) => event.severity === first?.severity) ? first?.severity : undefined;
  return {
    project: projectId,
    range: undefined,
    ...(evidence && {
      type: evidence.series.type,
      ...(evidence.series.source !== null && { source: evidence.series.source }),
      from: evidence.from,
      to: resolvedAt ?? new Date(toMs).toISOString(),
    }),
    ...(severity && { severity }),
  };
}
