import { describe, expect, it } from 'vitest';
import type { ReleaseShare } from '../../incidents/evidence-schema.ts';
import { annotateIncident, createIncident, updateIncident } from '../../incidents/mutation.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { IncidentPlan } from './plan-incidents.ts';
import { releaseQuestion, sayRelease } from './release-looks.ts';
import { alarm, CHECKOUT, evidenceOf, incident, NOW_MS } from './testing.ts';

const SHARE: ReleaseShare = {
  release: '4.18.1',
  says: 'all',
  failed: 230,
  allFailed: 230,
  trafficShare: 0.2,
  isByUser: true,
  deployedAt: null,
  isDeployReported: false,
  minutesBefore: null,
  isPartial: false,
  from: '',
  to: '',
};
const FROM = 'All 230 are from `4.18.1`.';
const more = (furtherEvents: number): IncidentPlan => ({
  kind: 'alarms',
  incident: 7,
  opened: [],
  furtherEvents,
});

describe('the releases of an incident', () => {
  it('ends the sentence of a new incident, and its first entry, with what its releases say', () => {
    const evidence = evidenceOf(alarm(CHECKOUT, 20));
    const created = createIncident(
      {
        organizationId: 'organization',
        projectId: 'project',
        title: 'Errors',
        severity: 'error',
        status: 'open',
        cause: {
          kind: 'risk',
          number: 7,
          type: null,
          source: null,
          eventCount: 20,
          evidence,
          previousIncidentId: null,
        },
      },
      NOW_MS,
    );
    const said = sayRelease(created, { share: SHARE });
    expect(said.entries).toMatchObject([{ note: `${evidence.sentence} ${FROM}` }]);
    expect(said.incident.evidence).toMatchObject({ release: SHARE, releaseLookedAt: 20 });
    expect(sayRelease(created, { share: null }).entries).toEqual(created.entries);
    expect(sayRelease(created, null)).toBe(created);
  });

  it('adds an entry where the releases of an ongoing incident say something at last', () => {
    const row = incident();
    const { entries } = sayRelease(updateIncident(row, {}, { userId: null, note: null }, NOW_MS), {
      share: SHARE,
    });
    expect(entries).toMatchObject([{ userId: null, after: null, note: FROM }]);
    const noted = sayRelease(annotateIncident(row, 'Mail too.', null, NOW_MS), { share: SHARE });
    expect(noted.entries.map(({ note }) => note)).toEqual(['Mail too.', FROM]);
  });

  it('compares them again once the events have doubled, in the first hour, until they say something', () => {
    const evidence = { ...evidenceOf(alarm(CHECKOUT, 20)), releaseLookedAt: 20 };
    const row = incident({ evidence, eventCount: 30, createdAt: new Date(NOW_MS) });
    expect(releaseQuestion(row, more(9), NOW_MS)).toBeNull();
    expect(releaseQuestion(row, more(10), NOW_MS)).toMatchObject({ series: CHECKOUT, rule: 'rise' });
    expect(releaseQuestion(row, more(10), NOW_MS + 61 * MINUTE_MS)).toBeNull();
    expect(releaseQuestion(row, { kind: 'ends', incident: 7 }, NOW_MS)).toBeNull();
    const known = { ...row, evidence: { ...evidence, release: SHARE } };
    expect(releaseQuestion(known, more(100), NOW_MS)).toBeNull();
  });
});
