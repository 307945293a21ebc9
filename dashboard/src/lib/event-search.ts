import type { EventFilterParameters, Severity } from './api-types.ts';
import { boundsOf, type Scope } from './scope.ts';
import { SEVERITIES } from './severity.ts';

/** The parameters of the events page besides the scope: its filters, and the open event. */
export interface EventSearch {
  type?: string;
  severity?: Severity;
  source?: string;
  correlation_id?: string;
  fingerprint?: string;
  release?: string;
  q?: string;
  /** Id of the event whose panel is open. */
  event?: string;
  /** Follow what arrives. */
  live?: true;
}

const TEXTS = ['type', 'source', 'correlation_id', 'fingerprint', 'release', 'q', 'event'] as const;

/** Reads the filters of a URL; unknown parameters are left out. A filter that looks like a number stays text. */
export function readEventSearch(search: Record<string, unknown>): EventSearch {
  const found: EventSearch = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[name] = String(value);
  }
  const severity = SEVERITIES.find((known) => known === search.severity);
  if (severity) found.severity = severity;
  if (search.live === true) found.live = true;
  return found;
}

/** Filters and scope as the query of `GET /events` and its relatives. */
export function toEventFilter(search: EventSearch, scope: Scope): EventFilterParameters {
  const { event: _event, live: _live, ...filters } = search;
  const { fromMs, toMs } = boundsOf(scope);
  return {
    ...filters,
    ...(scope.project && { project_id: scope.project }),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  };
}
