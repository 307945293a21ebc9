import { describe, expect, it } from 'vitest';
import { isDeclared } from './declared-series.ts';
import { alarm, CHECKOUT } from './testing.ts';

const HEARTBEAT = { seenMinutesAgo: 90, dueMinutesAgo: 30 };

describe('a series that a schedule declares', () => {
  const rise = alarm(CHECKOUT, 20);
  const overdue = { ...rise, anomaly: { ...rise.anomaly, heartbeat: HEARTBEAT } };

  it('hands its overdue heartbeat over, by type, by source or by both', () => {
    expect(isDeclared(overdue, [{ type: CHECKOUT.type, source: CHECKOUT.source }])).toBe(true);
    expect(isDeclared(overdue, [{ type: CHECKOUT.type, source: null }])).toBe(true);
    expect(isDeclared(overdue, [{ type: null, source: CHECKOUT.source }])).toBe(true);
  });

  it('keeps its other alarms, and those of other series', () => {
    expect(isDeclared(rise, [{ type: CHECKOUT.type, source: null }])).toBe(false);
    expect(isDeclared(overdue, [{ type: 'other', source: CHECKOUT.source }])).toBe(false);
    expect(isDeclared(overdue, [])).toBe(false);
  });
});
