import { describe, expect, it } from 'vitest';
import { anEvidence } from '../testing.ts';
import { chartRange } from './chart-range.ts';

const evidence = anEvidence({ from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:03:00.000Z' });
const isoRange = (...range: Parameters<typeof chartRange>) => {
  const { startMs, endMs } = chartRange(...range);
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
};

describe('the time that the chart shows', () => {
  it('shows the window and half an hour before it until there are points', () => {
    const expected = ['2026-11-21T11:30:00.000Z', '2026-11-21T12:03:00.000Z'];
    expect(isoRange(evidence, evidence.to, undefined)).toEqual(expected);
    expect(isoRange(evidence, evidence.to, { intervalSeconds: 60, points: [] })).toEqual(expected);
  });

  it('shows the time of all points, up to the end of the last', () => {
    const points = ['2026-11-21T09:00:00.000Z', '2026-11-21T13:00:00.000Z'].map((at) => ({
      at,
      observed: 1,
      expected: null,
    }));
    expect(isoRange(evidence, evidence.to, { intervalSeconds: 300, points })).toEqual([
      '2026-11-21T09:00:00.000Z',
      '2026-11-21T13:05:00.000Z',
    ]);
  });

  it('shows the moment at which it opened, after the window in which it was found', () => {
    const createdAt = '2026-11-21T12:03:07.000Z';
    expect(isoRange(evidence, createdAt, undefined)[1]).toBe(createdAt);
  });

  it('shows the whole window even if the points end before it', () => {
    const points = { intervalSeconds: 60, points: [{ at: evidence.from, observed: 1, expected: 1 }] };
    expect(isoRange(evidence, evidence.to, points)).toEqual([evidence.from, evidence.to]);
  });
});
