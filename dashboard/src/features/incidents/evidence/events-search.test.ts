import { describe, expect, it } from 'vitest';
import { anEvidence, anIncident, aSeries } from '../testing.ts';
import { eventsSearch, timeSearch } from './events-search.ts';

const NOW_MS = Date.parse('2026-11-21T13:00:00.000Z');

describe('the address of the events behind an incident', () => {
  it('names the incident, from its first event on until a minute from now or its last millisecond', () => {
    const search = { project: 'proj_1', range: undefined, incident_id: 'inc_1', from: anIncident().since };
    expect(eventsSearch(anIncident(), NOW_MS)).toEqual({ ...search, to: '2026-11-21T13:01:00.000Z' });
    const until = '2026-11-21T12:20:00.000Z';
    expect(eventsSearch(anIncident({ until }), NOW_MS)).toEqual({
      ...search,
      to: '2026-11-21T12:20:00.001Z',
    });
  });

  it('leads to the time of an incident for all events of a user', () => {
    expect(timeSearch(anIncident(), NOW_MS)).not.toHaveProperty('incident_id');
    expect(timeSearch(anIncident(), NOW_MS)).toMatchObject({ project: 'proj_1', from: anIncident().since });
  });

  it.each([
    [180, '2026-11-21T11:31:00.000Z'],
    [7_200, '2026-11-21T10:01:00.000Z'],
  ])('begins before missing events, by the window of %d s or half an hour', (windowSeconds, from) => {
    const incident = anIncident({
      lead: { kind: 'absence', series: aSeries() },
      eventsQuery: { says: 'before', params: { incident_id: 'inc_1' } },
      evidence: anEvidence({ rule: 'silence', windowSeconds }),
    });
    expect(eventsSearch(incident, NOW_MS)).toMatchObject({ from, incident_id: 'inc_1' });
  });

  it('uses the time range that the service names, as for an incident created by hand', () => {
    const params = {
      project_id: 'proj_1',
      from: '2026-11-21T11:33:00.000Z',
      to: '2026-11-21T12:03:00.000Z',
    };
    const incident = anIncident({ lead: { kind: 'manual' }, eventsQuery: { says: 'before', params } });
    const { from, to } = params;
    expect(eventsSearch(incident, NOW_MS)).toEqual({ project: 'proj_1', range: undefined, from, to });
  });
});
