import { describe, expect, it } from 'vitest';
import type { ReleaseShare } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { emptyLead } from '../counts/count-lead.ts';
import { chooseHeadline } from '../headline/headline.ts';
import type { ChangeContext } from './change-context.ts';
import { decideIncidentChange } from './decide-incident-change.ts';
import { type IncidentPlan, openedOf } from './plan-incidents.ts';
import { releaseQuestion } from './release-comparisons.ts';
import { alarm, CHECKOUT, evidenceOf, incident, MAIL, NOW_MS, opening } from './testing.ts';

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

/** Applies a plan to an incident of 20 events. @returns the notes of its entries, and its evidence */
function decide(row: IncidentRow | null, plan: IncidentPlan, release: ChangeContext['release']) {
  const mutation = decideIncidentChange(row, plan, {
    organizationId: 'organization',
    projectId: 'project',
    nowMs: NOW_MS,
    shiftMs: 0,
    headline: chooseHeadline(row, openedOf(plan), { nowMs: NOW_MS, shiftMs: 0 }),
    newestEvents: [],
    count: { eventCount: 20, lead: emptyLead(null, NOW_MS) },
    group: null,
    release,
    ongoing: null,
    ofAlerts: null,
    hasOpenAlerts: false,
    previousIncidentId: null,
  });
  if (mutation.kind === 'none') throw new Error('Nothing changes.');
  return { entries: mutation.entries.map(({ note }) => note), evidence: mutation.incident.evidence };
}

describe('the releases of an incident', () => {
  it('ends the sentence of a new incident, and its first entry, with what its releases say', () => {
    const sentence =
      '`checkout` errors in `shop` are 10× normal since 12:00 UTC: 20 in 1 min, usually about 2.';
    const { entries, evidence } = decide(null, opening(alarm(CHECKOUT, 20)), { share: SHARE });
    expect(entries).toEqual([`${sentence} ${FROM}`]);
    expect(evidence).toMatchObject({ release: SHARE, releaseComparedAt: 20 });
    expect(decide(null, opening(alarm(CHECKOUT, 20)), { share: null })).toMatchObject({
      entries: [sentence],
      evidence: { release: null, releaseComparedAt: 20 },
    });
    expect(decide(null, opening(alarm(CHECKOUT, 20)), null).evidence).not.toHaveProperty('releaseComparedAt');
  });

  it('writes what the releases say into the one entry of a round', () => {
    expect(decide(incident(), more(3), { share: SHARE }).entries).toEqual([FROM]);
    const joined = '`mail` errors in `post` too: 5 in 1 min, usually about 2.';
    expect(decide(incident(), opening(alarm(MAIL, 5)), { share: SHARE }).entries).toEqual([
      `${FROM}\n${joined}`,
    ]);
    const lead = 'Now about `mail` errors in `post`: 400 in 1 min, usually about 2.';
    expect(decide(incident(), opening(alarm(MAIL, 400)), { share: SHARE }).entries).toEqual([
      `${lead}\n${FROM}`,
    ]);
  });

  it('compares them again once the events have doubled, in the first hour, until they say something', () => {
    const evidence = { ...evidenceOf(alarm(CHECKOUT, 20)), releaseComparedAt: 20 };
    const row = incident({ evidence, eventCount: 30, createdAt: new Date(NOW_MS) });
    expect(releaseQuestion(row, more(9), NOW_MS)).toBeNull();
    expect(releaseQuestion(row, more(10), NOW_MS)).toMatchObject({ series: CHECKOUT, rule: 'rise' });
    expect(releaseQuestion(row, more(10), NOW_MS + 61 * MINUTE_MS)).toBeNull();
    expect(releaseQuestion(row, { kind: 'ends', incident: 7 }, NOW_MS)).toBeNull();
    const known = { ...row, evidence: { ...evidence, release: SHARE } };
    expect(releaseQuestion(known, more(100), NOW_MS)).toBeNull();
  });
});
