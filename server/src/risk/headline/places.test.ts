import { describe, expect, it } from 'vitest';
import type { NewestEvent } from '../../events/read-types.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { alarm, TOTAL } from '../incidents/testing.ts';
import { describePart } from './places.ts';

const ERRORS: RiskSeries = { ...TOTAL, kind: 'errors' };

/** Newest events: so many of each type and source. */
const newest = (...of: [count: number, type: string, source: string | null][]): NewestEvent[] =>
  of.flatMap(([count, type, source]) =>
    Array.from({ length: count }, () => ({
      id: 'id',
      correlationId: 'c',
      fingerprint: 'f',
      type,
      severity: 'error' as const,
      source,
    })),
  );

describe('describePart', () => {
  it('names the source that has most of a rise of all errors, with its number', () => {
    const events = newest([14, 'http', 'api'], [13, 'db', 'api'], [2, 'http', 'web']);
    expect(describePart(alarm(ERRORS, 29, { expected: 0.6 }), events)).toBe('27 of 29 in `api`');
  });

  it('names the type where events have no source', () => {
    const events = newest([20, 'checkout', null], [9, 'mail', null]);
    expect(describePart(alarm(ERRORS, 29, { expected: 0.6 }), events)).toBe('20 of 29 of type `checkout`');
  });

  it('says so where only the newest of the events were read', () => {
    const events = newest([812, 'http', 'api'], [188, 'http', 'web']);
    expect(describePart(alarm(ERRORS, 5_000), events)).toBe('812 of the newest 1,000 in `api`');
  });

  it.each<[string, RiskSeries, number, number]>([
    ['that the usual events may explain', TOTAL, 29, 10],
    ['that has half', ERRORS, 28, 0],
  ])('names no part %s', (_name, series, observed, expected) => {
    const events = newest([14, 'http', 'api'], [5, 'a', 'web'], [5, 'b', 'shop'], [4, 'c', 'bank']);
    expect(describePart(alarm(series, observed, { expected }), events)).toBeNull();
    expect(describePart(alarm(series, observed, { expected }), [])).toBeNull();
  });
});
