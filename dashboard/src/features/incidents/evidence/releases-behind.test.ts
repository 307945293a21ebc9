import { describe, expect, it } from 'vitest';
import { UNREAD } from '../../../lib/release-marks.ts';
import { findRelease } from './releases-behind.ts';

const MINUTE_MS = 60_000;
const mark = (release: string, minute: number, isDeploy = true) => ({
  release,
  atMs: minute * MINUTE_MS,
  isDeploy,
});
const events = (...releases: (string | null)[]) => releases.map((release) => ({ release }));

describe('the release behind an incident', () => {
  it('finds the one release of all events, with its last deploy before the beginning', () => {
    const marks = [mark('1.1', 10), mark('1.2', 57), mark('1.1', 70)];
    expect(findRelease(events('1.2', '1.2'), false, marks, 60 * MINUTE_MS)).toEqual({
      release: '1.2',
      share: 1,
      events: 2,
      isSample: false,
      deployed: { beforeMs: 3 * MINUTE_MS, isDeploy: true },
    });
  });

  it('finds the release of most events, and those without a release against it', () => {
    const found = findRelease(events('1.2', '1.2', '1.1', null), true, [mark('1.2', 1, false)], MINUTE_MS);
    expect(found).toMatchObject({
      release: '1.2',
      share: 0.5,
      isSample: true,
      deployed: { isDeploy: false },
    });
    expect(findRelease(events('1.2', null, null), false, [], 0)).toBeNull();
  });

  it('names the last deploy before the beginning where no release stands out', () => {
    const marks = [mark('1.1', 10), mark('1.2', 20), mark('1.3', 90)];
    expect(findRelease(events('1.1', '1.2', '1.3'), false, marks, 60 * MINUTE_MS)).toMatchObject({
      release: '1.2',
      share: null,
      deployed: { beforeMs: 40 * MINUTE_MS },
    });
  });

  it('tells a release that was deployed long before from one that came later', () => {
    expect(findRelease(events('1.0'), false, [mark('1.1', 10)], 60 * MINUTE_MS)?.deployed).toBe(
      'long before',
    );
    expect(findRelease(events('1.1'), false, [mark('1.1', 70)], 60 * MINUTE_MS)?.deployed).toBe('later');
  });

  it('counts a deploy within the first minute of the window as one before it', () => {
    const marks = [{ release: '1.1', atMs: 60 * MINUTE_MS + 38_000, isDeploy: true }];
    expect(findRelease(events('1.1'), false, marks, 60 * MINUTE_MS)?.deployed).toEqual({
      beforeMs: 0,
      isDeploy: true,
    });
  });

  it('says nothing of a deploy as long as the deploys are not read', () => {
    expect(findRelease(events('1.1'), false, UNREAD, 60 * MINUTE_MS)?.deployed).toBeNull();
  });

  it('finds nothing without events and deploys', () => {
    expect(findRelease([], false, [], 0)).toBeNull();
  });
});
