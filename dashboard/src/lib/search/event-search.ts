import { MAX_EXCLUSIONS } from '../../../../server/src/events/limits.ts';
import type { EventFilterParameters, Severity } from '../api-types.ts';
import { boundsOf, type Scope } from '../scope.ts';
import { SEVERITIES } from '../severity.ts';

/** Filters by a key or a path, and with a `!` at the end filters that exclude a value. */
export type ValueFilterName = `correlation.${string}` | `payload.${string}` | `${string}!`;

/** Parameters of the events page besides the scope: its filters, in the form of the API, and the open event. */
export interface EventSearch {
  type?: string;
  severity?: Severity;
  source?: string;
  environment?: string;
  correlation_id?: string;
  /** Value of any key of the correlation. */
  correlation?: string;
  fingerprint?: string;
  group_id?: string;
  /** Id of the incident that counts the events. */
  incident_id?: string;
  release?: string;
  q?: string;
  /** Id of the event whose panel is open. */
  event?: string;
  /** True to follow new events. */
  live?: true;
  /** Order; default: newest first. */
  order?: 'asc';
  [value: ValueFilterName]: string | string[] | undefined;
}

const TEXTS = [
  'type',
  'source',
  'environment',
  'correlation_id',
  'correlation',
  'fingerprint',
  'group_id',
  'incident_id',
  'release',
  'q',
  'event',
] as const;
/** Maximum value filters; the same as in the API. */
const MAX_VALUE_FILTERS = 8;
const EXCLUDED = new Set(
  [
    'project_id',
    'environment',
    'type',
    'severity',
    'source',
    'correlation_id',
    'correlation',
    'fingerprint',
    'group_id',
    'release',
  ].map((name) => `${name}!`),
);

/** Returns true if a parameter filters by a key or a path, or excludes a value. */
export function isValueFilter(name: string): name is ValueFilterName {
  return /^(?:correlation|payload)\../s.test(name) || EXCLUDED.has(name);
}

/**
 * Reads the filters of a URL; unknown parameters, and more filters than the API takes, are left out. A filter that looks like
 * a number stays text.
 */
export function readEventSearch(search: Record<string, unknown>): EventSearch {
  const found: EventSearch = {};
  for (const name of TEXTS) {
    const [value] = textsOf(search[name]);
    if (value !== undefined) found[name] = value;
  }
  const severity = SEVERITIES.find((known) => known === search['severity']);
  if (severity) found.severity = severity;
  if (search['live'] === true) found.live = true;
  if (search['order'] === 'asc') found.order = 'asc';
  let values = found.correlation === undefined ? 0 : 1;
  let excluded = 0;
  for (const [name, value] of Object.entries(search)) {
    if (!isValueFilter(name)) continue;
    const texts = textsOf(value).slice(0, name.endsWith('!') ? MAX_EXCLUSIONS - excluded : 1);
    const [text] = texts;
    if (text === undefined) continue;
    if (/^(?:correlation|payload)[.!]/.test(name)) {
      if (values + texts.length > MAX_VALUE_FILTERS) continue;
      values += texts.length;
    }
    if (name.endsWith('!')) excluded += texts.length;
    found[name] = texts.length === 1 ? text : texts;
  }
  return found;
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(textsOf))];
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isText || typeof value === 'boolean' ? [String(value)] : [];
}

/** Converts filters and scope to the query of `GET /events` and related endpoints. */
export function toEventFilter(search: EventSearch, scope: Scope): EventFilterParameters {
  const { event: _event, live: _live, order: _order, ...filters } = search;
  const { fromMs, toMs } = boundsOf(scope);
  return {
    ...filters,
    ...(scope.project && { project_id: scope.project }),
    ...toQueryRange(fromMs, toMs),
  };
}

/** Converts a range to a query, whose bounds are exclusive: an event of the first millisecond belongs to the range. */
export function toQueryRange(fromMs: number, toMs: number): { from: string; to: string } {
  return { from: new Date(fromMs - 1).toISOString(), to: new Date(toMs).toISOString() };
}
