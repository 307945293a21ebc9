import { describe, expect, it } from 'vitest';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { withDefaults } from '../targets/quiet-hours.ts';
import { type SimulatedRoute, simulateSends } from './simulate-sends.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FROM = Date.parse('2026-03-01T12:07:00Z');
const ROUTE: SimulatedRoute = {
  rule: {
    id: 'r',
    organizationId: 'o',
    targetId: 't',
    projectId: null,
    minSeverity: 'warn',
    changes: ['opened', 'worse', 'resolved'],
    isTargetEnabled: true,
  },
  maxPerWeek: null,
  canEdit: false,
  quietHours: null,
  timeZone: 'Europe/Berlin',
};

const change = (atMs: number, subjectId: string, rest: Partial<SubjectChange> = {}): SubjectChange => ({
  organizationId: 'o',
  projectId: 'p',
  subjectKind: 'incident',
  subjectId,
  change: 'opened',
  severity: 'error',
  severityBefore: 'error',
  at: new Date(atMs),
  ...rest,
});

/** Maximum number of these times within any period of this length. */
const mostWithin = (times: readonly number[], lengthMs: number) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + lengthMs).length));

/** Four weeks of incidents, one each three hours, with storms; each is resolved an hour later. */
const FOUR_WEEKS = Array.from({ length: 224 }, (_, index) => {
  const atMs = FROM + index * 180 * MINUTE_MS;
  const count = index % 50 === 0 ? 100 : 1;
  return Array.from({ length: count }, (_unused, storm) => [
    change(atMs + storm * 100, `${index}-${storm}`),
    change(atMs + 60 * MINUTE_MS + storm * 100, `${index}-${storm}`, { change: 'resolved' }),
  ]).flat();
})
  .flat()
  .toSorted((left, right) => left.at.getTime() - right.at.getTime());

describe('the preview of a route', () => {
  it.each([1, 2, 12, 40])('keeps to %i messages in any seven days, with one digest a day', (maxPerWeek) => {
    const { messagesMs, budgetDigests, overBudget, taken, digests } = simulateSends(
      { ...ROUTE, maxPerWeek },
      FOUR_WEEKS,
    );
    const isDigestTime = (ms: number) => /T0[78]:00:00\.000Z$/.test(new Date(ms).toISOString());
    const daily = messagesMs.filter(isDigestTime);
    expect(daily).toHaveLength(budgetDigests);
    expect(mostWithin(daily, DAY_MS - 3_700_000)).toBe(1);
    const own = messagesMs.filter((ms) => !isDigestTime(ms));
    expect(mostWithin(own, 7 * DAY_MS)).toBeLessThanOrEqual(maxPerWeek);
    expect(own.length).toBeGreaterThanOrEqual(maxPerWeek * 4);
    // None is left out: each change is a message, or part of a digest.
    expect(taken).toBe(FOUR_WEEKS.length);
    expect(overBudget).toBeGreaterThan(0);
    if (digests === 0) expect(own.length + overBudget).toBe(taken);
  });

  it('always sends what opens with severity critical', () => {
    const critical = Array.from({ length: 20 }, (_, index) =>
      change(FROM + index * 60 * MINUTE_MS, String(index), { severity: 'critical' }),
    );
    expect(simulateSends({ ...ROUTE, maxPerWeek: 1 }, critical)).toMatchObject({ overBudget: 0, digests: 0 });
    expect(simulateSends({ ...ROUTE, maxPerWeek: 1 }, critical).messagesMs).toHaveLength(20);
  });

  it('sends what is critical at once in a storm that goes on, five in ten minutes, and bounds the rest', () => {
    const storm = Array.from({ length: 1_800 }, (_, index) => {
      const severity = index % 60 === 59 ? 'critical' : 'warn';
      return change(FROM + index * 1_000, `i${index}`, { severity });
    });
    const { messagesMs } = simulateSends(ROUTE, storm);
    expect(mostWithin(messagesMs, 10 * MINUTE_MS)).toBe(17);
    for (const minute of [1, 2, 3, 4, 5]) expect(messagesMs).toContain(FROM + minute * MINUTE_MS - 1_000);
  });

  it('counts what quiet hours hold, and what is over by their end', () => {
    const quietHours = withDefaults({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' });
    const night = Date.parse('2026-03-02T00:00:00Z');
    const changes = [
      change(night, 'over'),
      change(night + 1, 'open'),
      change(night + 2, 'severe', { severity: 'critical' }),
      change(night + 60 * MINUTE_MS, 'over', { change: 'resolved' }),
    ];
    const { messagesMs, ...counts } = simulateSends({ ...ROUTE, quietHours }, changes);
    expect(messagesMs.map((ms) => new Date(ms).toISOString())).toEqual([
      '2026-03-02T00:00:00.002Z',
      '2026-03-02T06:00:00.000Z',
    ]);
    expect(counts).toMatchObject({ taken: 4, held: 3, dropped: 2 });
  });

  it('simulates a storm of 20,000 changes that ends in a digest of the next day', () => {
    const storm = Array.from({ length: 20_000 }, (_, index) => change(FROM + index * 10, `i${index}`));
    const { messagesMs, overBudget } = simulateSends({ ...ROUTE, maxPerWeek: 2 }, storm);
    expect(messagesMs).toHaveLength(3);
    expect(overBudget).toBe(19_998);
  });
});
