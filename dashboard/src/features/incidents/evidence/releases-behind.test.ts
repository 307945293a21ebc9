import { describe, expect, it } from 'vitest';
import { UNREAD } from '../../../lib/releases/release-marks.ts';
import { findDeploy, findLastRelease } from './releases-behind.ts';

const MINUTE_MS = 60_000;
const mark = (release: string, minute: number, isDeploy = true) => ({
  release,
  atMs: minute * MINUTE_MS,
  isDeploy,
});

describe('the deploy of a release behind an incident', () => {
  it('finds the last deploy before the incident began', () => {
    const marks = [mark('1.1', 10), mark('1.2', 40), mark('1.2', 57), mark('1.2', 70)];
    expect(findDeploy('1.2', marks, 60 * MINUTE_MS)).toEqual({ beforeMs: 3 * MINUTE_MS, isDeploy: true });
  });

  it('treats a deploy within the first minute as simultaneous', () => {
    const marks = [mark('1.2', 60.5, false)];
    expect(findDeploy('1.2', marks, 60 * MINUTE_MS)).toEqual({ beforeMs: 0, isDeploy: false });
  });

  it('distinguishes deploys long before, later, and not known yet', () => {
    expect(findDeploy('1.2', [mark('1.1', 10)], 60 * MINUTE_MS)).toBe('long before');
    expect(findDeploy('1.2', [mark('1.2', 90)], 60 * MINUTE_MS)).toBe('later');
    expect(findDeploy('1.2', UNREAD, 60 * MINUTE_MS)).toBeNull();
  });

  it('names the last release before the incident began', () => {
    const marks = [mark('1.1', 10), mark('1.2', 20), mark('1.3', 90)];
    expect(findLastRelease(marks, 60 * MINUTE_MS)?.release).toBe('1.2');
    expect(findLastRelease([mark('1.3', 90)], 60 * MINUTE_MS)).toBeNull();
  });
});
