import { describe, expect, it } from 'vitest';
import type { GroupRow } from '../group-row.ts';
import { decideReopening } from './decide-reopening.ts';

const RESOLVED = new Date(1_000_000);
const ORDER = ['1.0.0', '1.1.0', '2.0.0'];
const compareReleases = (left: string, right: string) => ORDER.indexOf(left) - ORDER.indexOf(right);

const GROUP: GroupRow = {
  id: '',
  organizationId: '',
  projectId: '',
  groupPrefix: 'SHOP',
  number: 1,
  fingerprint: '',
  title: '',
  culprit: null,
  type: '',
  source: null,
  severity: 'error',
  state: 'open',
  count: 10,
  users: 0,
  firstSeen: RESOLVED,
  lastSeen: RESOLVED,
  firstRelease: null,
  lastRelease: null,
  resolution: null,
  resolvedAt: null,
  resolvedRelease: null,
  muteUntil: null,
  muteUntilCount: null,
  muteRateCount: null,
  muteRateSeconds: null,
  regressedAt: null,
  assigneeId: null,
  mergedInto: null,
  isWatched: true,
  environments: ['production'],
};

interface Case {
  resolution: 'now' | 'current' | 'next';
  in: string | null;
  event: string | null;
  afterMs: number;
  had?: string;
  reopens: boolean;
}

describe('a resolved group', () => {
  it.each<Case>([
    { resolution: 'now', in: null, event: null, afterMs: 1, reopens: true },
    { resolution: 'now', in: null, event: null, afterMs: 0, reopens: false },
    { resolution: 'now', in: null, event: '1.0.0', afterMs: 1, reopens: true },
    { resolution: 'now', in: null, event: '1.0.0', afterMs: -1, reopens: false },
    { resolution: 'now', in: '1.1.0', had: '1.1.0', event: '1.1.0', afterMs: 1, reopens: true },
    { resolution: 'now', in: '1.1.0', had: '1.1.0', event: '2.0.0', afterMs: 1, reopens: true },
    { resolution: 'now', in: '1.1.0', had: '1.1.0', event: '1.0.0', afterMs: 1, reopens: false },
    { resolution: 'now', in: '1.1.0', had: '1.1.0', event: null, afterMs: 1, reopens: false },
    { resolution: 'current', in: '1.1.0', had: '1.0.0', event: '1.0.0', afterMs: 1, reopens: false },
    { resolution: 'current', in: '1.1.0', had: '1.0.0', event: '1.1.0', afterMs: 1, reopens: true },
    { resolution: 'current', in: '1.1.0', had: '1.0.0', event: '2.0.0', afterMs: 1, reopens: true },
    { resolution: 'current', in: '1.1.0', had: '1.0.0', event: '2.0.0', afterMs: -1, reopens: false },
    { resolution: 'current', in: '1.1.0', event: null, afterMs: 1, reopens: true },
    { resolution: 'next', in: '1.1.0', had: '1.1.0', event: '1.1.0', afterMs: 1, reopens: false },
    { resolution: 'next', in: '1.1.0', had: '1.1.0', event: '1.0.0', afterMs: 1, reopens: false },
    { resolution: 'next', in: '1.1.0', had: '1.1.0', event: '2.0.0', afterMs: 1, reopens: true },
    { resolution: 'next', in: '1.1.0', had: '1.1.0', event: null, afterMs: 1, reopens: false },
  ])('reopens after $resolution (in $in) with an event of $event $afterMs ms later: $reopens', (one) => {
    const group: GroupRow = {
      ...GROUP,
      state: 'resolved',
      resolution: one.resolution,
      resolvedAt: RESOLVED,
      resolvedRelease: one.in,
    };
    const lastMs = RESOLVED.getTime() + one.afterMs;
    const outcome = decideReopening(group, {
      releases: new Map([[one.event, lastMs]]),
      receivedMs: lastMs,
      recent: null,
      releaseBefore: one.had ?? null,
      compareReleases,
    });
    expect(outcome).toBe(one.reopens ? 'regressed' : null);
  });
});

describe('a muted group', () => {
  const arrive = (mute: Partial<GroupRow>, recent: number | null = null) =>
    decideReopening(
      { ...GROUP, state: 'muted', ...mute },
      {
        releases: new Map([['2.0.0', 5_000]]),
        receivedMs: 5_000,
        recent,
        releaseBefore: null,
        compareReleases,
      },
    );

  it.each<[string, Partial<GroupRow>, number | null, 'unmuted' | null]>([
    ['for ever', {}, null, null],
    ['until later', { muteUntil: new Date(5_001) }, null, null],
    ['until now', { muteUntil: new Date(5_000) }, null, 'unmuted'],
    ['until 11 events', { muteUntilCount: 11 }, null, null],
    ['until 10 events', { muteUntilCount: 10 }, null, 'unmuted'],
    ['until 4 a minute, of which 3 came', { muteRateCount: 4, muteRateSeconds: 60 }, 3, null],
    ['until 4 a minute, of which 4 came', { muteRateCount: 4, muteRateSeconds: 60 }, 4, 'unmuted'],
  ])('stays muted or opens as its mute says: %s', (_title, mute, recent, expected) => {
    expect(arrive(mute, recent)).toBe(expected);
  });

  it('never changes a group that is open', () => {
    expect(arrive({ state: 'open', muteUntilCount: 1 })).toBeNull();
  });
});
