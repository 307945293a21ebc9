import { describe, expect, it } from 'vitest';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { anAttached, anEvidence, aSeries } from '../testing.ts';
import { seriesSearch } from './series-search.ts';

const NOW_MS = Date.parse('2026-11-21T13:00:00.000Z');

function searchOf(particulars: Partial<Evidence>, resolvedAt: string | null = null) {
  const incident: Incident = {
    id: 'inc_1',
    title: 'Rise: checkout',
    severity: 'error',
    status: resolvedAt ? 'resolved' : 'open',
    projectId: 'proj_1',
    titleOrigin: 'generated' as const,
    organizationId: 'org_1',
    origin: 'risk',
    scheduleId: null,
    eventCount: 42,
    evidence: anEvidence(particulars),
    current: null,
    previousIncidentId: null,
    investigatorId: null,
    createdAt: '2026-11-21T12:03:00.000Z',
    updatedAt: '2026-11-21T12:03:00.000Z',
    resolvedAt,
  };
  return seriesSearch(incident, NOW_MS);
}

describe('the address of the events behind an incident', () => {
  it('names project, series and time', () => {
    const series = aSeries({ severity: 'critical', source: 'shop' });
    expect(searchOf({ series })).toEqual({
      project: 'proj_1',
      range: undefined,
      type: 'checkout',
      severity: 'critical',
      source: 'shop',
      from: '2026-11-21T12:00:00.000Z',
      to: '2026-11-21T13:00:00.000Z',
    });
  });

  it('ends with the incident', () => {
    expect(searchOf({}, '2026-11-21T12:30:00.000Z').to).toBe('2026-11-21T12:30:00.000Z');
  });

  it('sets no filter for a field of the series that matches anything', () => {
    const search = searchOf({ series: aSeries({ kind: 'total', type: null, severity: null }) });
    expect(Object.keys(search)).toEqual(['project', 'range', 'from', 'to']);
  });

  it('filters by the fields that all series share', () => {
    const alsoSeries = [anAttached({ type: 'mail', source: 'shop' }), anAttached({ source: 'shop' })];
    const { type, severity, source } = searchOf({ series: aSeries({ source: 'shop' }), alsoSeries });
    expect({ type, severity, source }).toEqual({ type: undefined, severity: 'error', source: 'shop' });
  });

  it('keeps the filters when a sum attaches', () => {
    const alsoSeries = [anAttached({ kind: 'total', type: null, severity: null })];
    expect(searchOf({ alsoSeries })).toMatchObject({ type: 'checkout', severity: 'error' });
  });

  it('names the kind of error, and the payments', () => {
    expect(searchOf({ series: aSeries({ kind: 'new_kind', fingerprint: 'ff' }) }).fingerprint).toBe('ff');
    const payments = aSeries({ kind: 'failed_payments', type: null, severity: null });
    expect(searchOf({ series: payments }).type).toBe('payment');
  });

  it.each([
    ['drop', 180, '2026-11-21T11:30:00.000Z'],
    ['silence', 7_200, '2026-11-21T10:00:00.000Z'],
  ] as const)('begins before a %s of %i seconds', (rule, windowSeconds, from) => {
    expect(searchOf({ rule, windowSeconds }).from).toBe(from);
  });
});
