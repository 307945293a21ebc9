import { describe, expect, it } from 'vitest';
import type { IncidentRow } from '../incidents/schema.ts';
import type { Alarm, Delta } from './detector.ts';
import { decide } from './policy.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);

const alarm = (given: Partial<Alarm> = {}): Alarm => ({
  rule: 'burst',
  type: 'checkout',
  source: 'shop',
  observed: 30,
  expected: 0,
  fromMs: NOW - 5_000,
  toMs: NOW,
  ...given,
});

const delta = (count: number, given: Partial<Delta> = {}): Delta => ({
  type: 'checkout',
  source: 'shop',
  critical: false,
  bucketMs: NOW,
  count,
  lastMs: NOW,
  ...given,
});

const incident = (given: Partial<IncidentRow> = {}): IncidentRow => ({
  id: '0190a000-0000-7000-8000-000000000000',
  organizationId: 'organization',
  projectId: 'project',
  title: 'Errors: checkout in shop',
  severity: 'error',
  status: 'open',
  origin: 'risk',
  eventCount: 30,
  evidence: null,
  type: 'checkout',
  source: 'shop',
  previousIncidentId: null,
  createdAt: new Date(NOW),
  updatedAt: new Date(NOW),
  resolvedAt: null,
  ...given,
});

describe('the policy', () => {
  it('opens an incident for a burst, with its evidence', () => {
    expect(decide([alarm()], [delta(30)], [])).toEqual([
      {
        kind: 'open',
        title: 'Errors: checkout in shop',
        severity: 'error',
        type: 'checkout',
        source: 'shop',
        cause: {
          eventCount: 30,
          evidence: {
            sentence: '`checkout` from `shop`: 30 errors in 60 s, expected nearly none after the past hour.',
            rule: 'burst',
            series: { type: 'checkout', source: 'shop' },
            observed: 30,
            expected: 0,
            windowSeconds: 60,
            from: '2026-11-21T09:29:55.000Z',
            to: '2026-11-21T09:30:00.000Z',
          },
          previousIncidentId: null,
        },
      },
    ]);
  });

  it('opens a critical incident for a critical event', () => {
    const critical = alarm({ rule: 'critical', source: null, observed: 1 });
    expect(decide([critical], [delta(1, { critical: true, source: null })], [])).toMatchObject([
      { kind: 'open', severity: 'critical', title: 'Critical: checkout', cause: { eventCount: 1 } },
    ]);
  });

  it.each(['open', 'investigating'] as const)('only raises an incident that is %s', (status) => {
    const known = incident({ status });
    expect(decide([alarm()], [delta(5), delta(2)], [known])).toEqual([
      { kind: 'raise', incident: known, eventCount: 7, severity: 'error' },
    ]);
  });

  it('raises an incident for errors that are no alarm by themselves', () => {
    expect(decide([], [delta(1)], [incident()])).toMatchObject([{ kind: 'raise', eventCount: 1 }]);
  });

  it('escalates an unresolved incident for a critical event', () => {
    const actions = decide(
      [alarm({ rule: 'critical' })],
      [delta(1), delta(1, { critical: true })],
      [incident()],
    );
    expect(actions).toMatchObject([{ kind: 'raise', eventCount: 2, severity: 'critical' }]);
  });

  it('opens a new incident after a resolved one, and names that', () => {
    const resolved = incident({ status: 'resolved', resolvedAt: new Date(NOW - 1) });
    expect(decide([alarm()], [delta(30)], [resolved])).toMatchObject([
      { kind: 'open', cause: { previousIncidentId: resolved.id } },
    ]);
  });

  it('does nothing about the series of a resolved incident without an alarm', () => {
    expect(decide([], [delta(9)], [incident({ status: 'resolved', resolvedAt: new Date(NOW) })])).toEqual([]);
  });

  it('tells series apart, no source and an empty one too', () => {
    const actions = decide([alarm({ source: '' }), alarm({ source: null })], [], [incident({ source: '' })]);
    expect(actions).toMatchObject([{ kind: 'open', source: null }]);
  });

  it('opens nothing for a project that is unusual because of a series with an incident', () => {
    expect(
      decide([alarm({ rule: 'spread', source: 'b' })], [delta(1, { source: 'b' })], [incident()]),
    ).toEqual([]);
    expect(decide([alarm({ rule: 'spread', source: 'b' })], [], [])).toMatchObject([{ kind: 'open' }]);
  });

  it('keeps titles within 200 characters and characters whole', () => {
    const long = alarm({ type: '🔥'.repeat(128), source: '🔔'.repeat(256) });
    const [action] = decide([long], [], []);
    const title = action?.kind === 'open' ? action.title : '';
    expect(Array.from(title)).toHaveLength(200);
    expect(title.isWellFormed()).toBe(true);
  });
});
