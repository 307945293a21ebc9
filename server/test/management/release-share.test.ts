import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../src/incidents/evidence-schema.ts';
import { releaseSentence } from '../../src/incidents/wording.ts';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { findReleaseShare } from '../../src/risk/releases/find-release-share.ts';
import { middleOf } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';

const SERIES: RiskSeries = {
  kind: 'events',
  type: 'checkout',
  severity: 'error',
  source: 'shop',
  fingerprint: null,
};

describe('the share of errors by release', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management', 'worker'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const setUp = async () => {
    const { id, ingest } = await user.createProject();
    const nowMs = middleOf(MINUTE_MS);
    const events: object[] = [];
    const add = (
      count: number,
      minutesAgo: number,
      {
        isError = false,
        release,
        ...more
      }: { isError?: boolean; release?: string; user?: (index: number) => string },
    ) => {
      for (let index = 0; index < count; index++) {
        events.push({
          type: isError ? 'checkout' : 'call',
          severity: isError ? 'ERROR' : 'INFO',
          source: 'shop',
          message: isError ? 'No card' : 'Called',
          capturedAt: isoTime(nowMs - minutesAgo * MINUTE_MS + index),
          ...(release !== undefined && { release }),
          ...(more.user && { correlation: { user_id: more.user(index) } }),
        });
      }
    };
    const find = async (fromMinutes: number) => {
      for (let from = 0; from < events.length; from += 500) {
        const answer = await ingest.post('/ingest/bulk', events.slice(from, from + 500));
        expect(answer.status).toBe(202);
      }
      await service.settled();
      const organizationId = toUuid('org', user.organizationId) ?? '';
      return findReleaseShare(pool, {
        organizationId,
        projectId: toUuid('proj', id) ?? '',
        series: SERIES,
        rule: 'rise',
        fromMs: nowMs - fromMinutes * MINUTE_MS,
        nowMs,
      });
    };
    return { add, find, ingest, nowMs };
  };

  it('says that all errors come from a release with a part of the traffic, and when it was deployed', async () => {
    const { add, find, ingest, nowMs } = await setUp();
    const at = isoTime(nowMs - 6 * MINUTE_MS);
    expect((await ingest.post('/ingest/deploys', { release: '4.18.1', at })).status).toBe(202);
    const tried = { release: '4.18.1', environment: 'staging', at: isoTime(nowMs - 60 * MINUTE_MS) };
    expect((await ingest.post('/ingest/deploys', tried)).status).toBe(202);
    for (const minute of [1, 2, 3]) {
      add(80, minute, { release: '4.18.0' });
      add(20, minute, { release: '4.18.1' });
      add(30, minute, { release: '4.18.1', isError: true });
    }
    const share = await find(5);
    expect(share).toMatchObject({
      release: '4.18.1',
      says: 'all',
      failed: 90,
      allFailed: 90,
      trafficShare: 0.2,
      isByUser: false,
      isPartial: false,
      deployedAt: at,
      isDeployReported: true,
      minutesBefore: 3,
    });
    expect(share && releaseSentence(share)).toBe('All 90 are from `4.18.1`, deployed 3 min before.');
  });

  it('names no release for the errors of one user, and names it for those of many', async () => {
    const one = await setUp();
    const many = await setUp();
    for (const [{ add }, name] of [
      [one, () => 'ada'],
      [many, (index: number) => `user ${index}`],
    ] as const) {
      add(400, 2, { release: '1.0.0', user: (index) => `caller ${index}` });
      add(100, 2, { release: '1.1.0', user: (index) => `tester ${index}` });
      add(60, 2, { release: '1.1.0', isError: true, user: name });
    }
    expect(await one.find(5)).toBeNull();
    expect(await many.find(5)).toMatchObject({ release: '1.1.0', says: 'all', isByUser: true });
  });

  it('says only the time of a deploy if the release has had all of the traffic since', async () => {
    const { add, find } = await setUp();
    add(100, 10, { release: '1.0.0' });
    add(10, 3, { release: '1.1.0' });
    add(50, 2, { release: '1.1.0' });
    add(40, 2, { release: '1.1.0', isError: true });
    const share = await find(4);
    expect(share).toMatchObject({ release: '1.1.0', says: 'timing', failed: 40, minutesBefore: 1 });
    expect(share && releaseSentence(share)).toBe('`1.1.0` was first seen 1 min before.');
  });

  it('says nothing if errors are equally frequent in every release, or name none', async () => {
    const even = await setUp();
    even.add(200, 2, { release: '1.0.0' });
    even.add(100, 2, { release: '1.1.0' });
    even.add(40, 2, { release: '1.0.0', isError: true });
    even.add(20, 2, { release: '1.1.0', isError: true });
    expect(await even.find(5)).toBeNull();
    const bare = await setUp();
    bare.add(100, 2, { release: '1.0.0' });
    bare.add(60, 2, { isError: true });
    expect(await bare.find(5)).toBeNull();
    const unknown = await setUp();
    unknown.add(60, 2, { isError: true });
    expect(await unknown.find(5)).toBeNull();
  });
});
