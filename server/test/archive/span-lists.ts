import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { type Exclusions, NO_EXCLUSIONS } from '../../src/events/exclusions.ts';
import type { EventConditions } from '../../src/events/read-types.ts';
import type { SeriesCondition } from '../../src/events/series-condition.ts';
import type { SpanTenant } from './span-tenant.ts';

/** Every kind of condition, by its name. */
export function listsOf({
  projectIds,
  fingerprints,
  firstMs,
  endMs,
}: SpanTenant): [string, EventConditions][] {
  const [first = '', second = ''] = projectIds;
  const [own = '', merged = ''] = fingerprints;
  const series = (given: Partial<SeriesCondition>): EventConditions => ({
    ...NO_CONDITIONS,
    projectId: first,
    isWatched: true,
    series: { kind: 'events', type: null, severity: null, source: null, fingerprint: null, ...given },
  });
  const not = (given: Partial<Exclusions>): EventConditions => ({
    ...NO_CONDITIONS,
    not: { ...NO_EXCLUSIONS, ...given },
  });
  const of = (given: Partial<EventConditions>): EventConditions => ({ ...NO_CONDITIONS, ...given });
  const middleMs = (firstMs + endMs) / 2;
  return Object.entries({
    all: NO_CONDITIONS,
    project: of({ projectId: first }),
    range: of({ afterMs: firstMs + 1_000_000, beforeMs: middleMs }),
    'old range': of({ beforeMs: firstMs + 86_400_000 }),
    type: of({ type: 'type 1' }),
    severity: of({ severity: 'critical' }),
    source: of({ source: 'source-1' }),
    correlation: of({ correlationId: 'corr-7' }),
    fingerprint: of({ fingerprint: own }),
    release: of({ release: 'v2' }),
    'type, source, severity and project': of({
      projectId: first,
      type: 'type 2',
      source: 'source-2',
      severity: 'error',
    }),
    'fixed environment': of({ environment: 'staging' }),
    'named environment': of({ environment: 'canary' }),
    'unknown environment': of({ environment: 'nowhere' }),
    watched: of({ projectId: first, isWatched: true }),
    group: of({ group: { projectId: first, fingerprints: [own] } }),
    'merged group': of({ group: { projectId: first, fingerprints: [own, merged] } }),
    'all further events': of({ group: { projectId: first, fingerprints: null } }),
    value: of({ pairs: [{ key: null, value: 'u3' }] }),
    'value of a key': of({ pairs: [{ key: 'user', value: 'u3' }] }),
    'value of another key': of({ pairs: [{ key: 'order', value: 'u3' }] }),
    'number of a key': of({ pairs: [{ key: 'order', value: '5' }] }),
    'value with escapes': of({ pairs: [{ key: 'path', value: 'a/b\\c"d' }], type: 'type 4' }),
    'number in the payload': of({ paths: [{ path: ['n'], value: '77' }] }),
    'text in the payload': of({ paths: [{ path: ['deep', 'text'], value: '\t3' }] }),
    'element in the payload': of({ paths: [{ path: ['deep', 'list', '0'], value: '1' }] }),
    'object in the payload': of({ paths: [{ path: ['deep', 'list'], value: '[1, "x"]' }] }),
    'literal in the payload': of({ paths: [{ path: ['flag'], value: 'true' }], severity: 'error' }),
    'nothing in the payload': of({ paths: [{ path: ['missing'], value: '' }] }),
    word: of({ words: ['GRÜSSE'.toLowerCase().replace('ss', 'ß'), '日本'] }),
    'word with a pattern': of({ words: ['100%_'] }),
    'word with a backslash': of({ words: ['back\\slash'] }),
    'word that none has': of({ words: ['absent'] }),
    'not a project': not({ projectIds: [second] }),
    'not environments': not({ environments: ['staging', 'canary'] }),
    'not types': not({ types: ['type 1', 'type 2'] }),
    'not severities': not({ severities: ['info'] }),
    'not sources': not({ sources: ['source-1'] }),
    'not correlation ids': not({ correlationIds: ['corr-1', 'corr-2'] }),
    'not fingerprints': not({ fingerprints: [own] }),
    'not releases': not({ releases: ['v1'] }),
    'not groups': not({
      groups: [
        { projectId: first, fingerprints: [own] },
        { projectId: second, fingerprints: null },
      ],
    }),
    'not values': not({
      pairs: [
        { key: null, value: 'u1' },
        { key: 'order', value: '2' },
      ],
    }),
    'not in the payload': not({ paths: [{ path: ['flag'], value: 'true' }] }),
    'plain series': series({ type: 'type 3', source: 'source-1' }),
    'series without a source': series({ type: 'type 3' }),
    'series of errors': series({ kind: 'errors', type: null }),
    'series of a severity': series({ type: 'type 1', severity: 'error', source: 'source-1' }),
    'series with a field': series({
      kind: 'rule',
      field: { path: ['n'], operator: 'greater', value: 150 },
    }),
  });
}
