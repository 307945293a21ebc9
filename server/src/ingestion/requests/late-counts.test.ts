import { expect, it } from 'vitest';
import { mergeCounts, splitCounts } from './late-counts.ts';
import type { RequestCount } from './write-requests.ts';

const SAMPLE = {
  method: 'POST',
  path: '/ingest/events',
  headers: [],
  namedIds: [],
  status: 400,
  keyPrefix: null,
  detail: null,
  requestId: null,
};

function createCount(key: string, closedMs: number, samples = 1): RequestCount {
  return {
    key,
    sender: { projectId: key, keyId: null, isAuthenticated: true },
    protocol: 'events',
    reason: 'malformed_json',
    quantity: 2,
    samples: Array.from({ length: samples }, () => ({ ...SAMPLE, takenMs: closedMs })),
    closedMs,
  };
}

const countSamples = (counts: readonly RequestCount[]) =>
  counts.reduce((sum, { samples }) => sum + samples.length, 0);

it('merges counts of the same requests within a minute, with the newest samples and the last time', () => {
  let late: RequestCount[] = [];
  for (let seconds = 0; seconds < 120; seconds += 10)
    late = mergeCounts(late, [createCount('a', seconds * 1_000, 20)]);
  expect(late.map(({ quantity, closedMs }) => [quantity, closedMs])).toEqual([
    [12, 50_000],
    [12, 110_000],
  ]);
  for (const { samples, closedMs } of late) {
    expect(samples).toHaveLength(20);
    for (const { takenMs } of samples) expect(takenMs).toBe(closedMs);
  }
});

it('keeps 2,000 samples and 10,000 counts at most, the newest ones, however long the database is lost', () => {
  let late: RequestCount[] = [];
  for (let minute = 0; minute < 12; minute++) {
    const counts = Array.from({ length: 1_000 }, (_, index) => createCount(`${index}`, minute * 60_000));
    late = mergeCounts(late, counts);
  }
  expect([late.length, countSamples(late)]).toEqual([10_000, 2_000]);
  expect(late[0]?.closedMs).toBe(2 * 60_000);
  expect(late.filter(({ samples }) => samples.length > 0)[0]?.closedMs).toBe(10 * 60_000);
});

it('splits counts into parts of some hundred samples and a thousand counts', () => {
  const counts = [
    ...Array.from({ length: 100 }, (_, index) => createCount(`${index}`, 0, 20)),
    ...Array.from({ length: 2_500 }, (_, index) => createCount(`more ${index}`, 0, 0)),
  ];
  const parts = splitCounts(counts);
  expect(parts.flat()).toEqual(counts);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(1_000);
    expect(countSamples(part)).toBeLessThan(220);
  }
});
