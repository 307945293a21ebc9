import { describe, expect, it } from 'vitest';
import { tellAfterReading } from './tell-after-reading.ts';

const HOUR_MS = 3_600_000;

/** Readings that end when the test lets them, and what was told so far. */
function start(times: { newsWaitMs: number; readingWaitMs: number }) {
  const readings: (() => void)[] = [];
  const told: string[] = [];
  const read = () => new Promise<void>((resolve) => void readings.push(resolve));
  const announce = tellAfterReading<string>(read, (news) => told.push(news), { intervalMs: 0, ...times });
  return { readings, told, announce };
}

describe('the news of frames that come faster than the answers', () => {
  it('lets a reading end before the next one begins', async () => {
    const { readings, told, announce } = start({ newsWaitMs: 0, readingWaitMs: HOUR_MS });
    announce('first');
    await expect.poll(() => told).toEqual(['first']);
    announce('second');
    announce(null);
    expect(readings).toHaveLength(1);
    readings[0]?.();
    await expect.poll(() => told).toEqual(['first', 'second']);
    expect(readings).toHaveLength(2);
  });

  it('does not wait for ever for a reading that hangs', async () => {
    const { told, announce } = start({ newsWaitMs: 0, readingWaitMs: 0 });
    announce('first');
    announce('second');
    await expect.poll(() => told).toEqual(['first', 'second']);
  });
});
