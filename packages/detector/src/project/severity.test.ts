import { describe, expect, it } from 'vitest';
import { DOWN, UP } from '../state/side.ts';
import { eventsSeries, TOTAL } from './series-key.ts';
import { severityOf, severityOfAlarm } from './severity.ts';

describe('the severity of an alarm', () => {
  it('grows with the ratio of observed to expected events', () => {
    expect([20, 30, 99, 100].map((observed) => severityOf(UP, observed, 10))).toEqual([
      'warn',
      'error',
      'error',
      'critical',
    ]);
    expect([60, 50, 10].map((observed) => severityOf(DOWN, observed, 100))).toEqual([
      'warn',
      'error',
      'critical',
    ]);
  });

  it('caps the severity of a rise by the severity of its events', () => {
    const rise = { rule: 'rise', side: UP, observed: 1_000, expected: 1 } as const;
    expect(severityOfAlarm(eventsSeries('order', 'info', null), rise)).toBe('info');
    expect(severityOfAlarm(eventsSeries('order', 'critical', null), rise)).toBe('critical');
    expect(severityOfAlarm(TOTAL, rise)).toBe('warn');
  });

  it.each([
    ['explains', { failures: 108, isInProportion: true }, 'warn'],
    ['explains all but 1.7 times', { failures: 108, isInProportion: false }, 'warn'],
    ['explains little of', { failures: 400, isInProportion: false }, 'error'],
  ])('rates more errors, which their traffic %s, by the rest', (_, outcomes, severity) => {
    const exposure = { events: 16_274, usualShare: 0.0039, ...outcomes };
    const rise = { rule: 'rise', side: UP, observed: outcomes.failures, expected: 23.7, exposure } as const;
    expect(severityOfAlarm(eventsSeries('http', 'error', 'web'), rise)).toBe(severity);
  });

  it('rates more errors while the traffic falls by their number', () => {
    const exposure = { events: 100, failures: 40, usualShare: 0.01, isInProportion: false };
    const rise = { rule: 'rise', side: UP, observed: 40, expected: 20, exposure } as const;
    expect(severityOfAlarm(eventsSeries('http', 'error', 'web'), rise)).toBe('warn');
  });

  it('rates the silence of a series as error, and that of the whole project as critical', () => {
    const silence = { rule: 'silence', side: DOWN, observed: 0, expected: 100 } as const;
    expect(severityOfAlarm(eventsSeries('order', 'info', null), silence)).toBe('error');
    expect(severityOfAlarm(TOTAL, silence)).toBe('critical');
  });
});
