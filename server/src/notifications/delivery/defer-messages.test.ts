import { describe, expect, it } from 'vitest';
import type { Budget, Situation, WaitingDelivery } from './situation.ts';
import { aWaiting, planFor } from './testing.ts';

const NOW = Date.parse('2026-11-22T23:00:00Z');
const HOUR_MS = 3_600_000;
const MORNING = NOW + 8 * HOUR_MS;

const wait = (id: string, rest: Partial<WaitingDelivery> = {}) =>
  aWaiting(id, NOW, { routeId: 'r', ...rest });
const plan = (waiting: WaitingDelivery[], rest: Partial<Situation> = {}) => planFor(waiting, NOW, rest);
const QUIET = { untilMs: MORNING, minSeverity: 'critical' } as const;
const bounded = (budget: Partial<Budget> = {}) =>
  new Map([['r', { maxPerWeek: 2, used: 0, lastDigestMs: null, nextDigestMs: MORNING, ...budget }]]);
const held = { dueMs: NOW, deferredBy: 'quiet_hours' } as const;
const beyond = { dueMs: NOW, deferredBy: 'budget' } as const;

describe('quiet hours', () => {
  it('holds messages below the severity until quiet hours end, retries included, and sends the rest', () => {
    const waiting = [wait('1'), wait('2', { severity: 'critical' }), wait('3', { attempts: 2 })];
    expect(plan(waiting, { quiet: QUIET })).toMatchObject([
      { kind: 'send', delivery: { id: '2' } },
      { kind: 'defer', ids: ['1'], by: 'quiet_hours', untilMs: MORNING },
      { kind: 'defer', ids: ['3'], by: 'quiet_hours', untilMs: MORNING },
    ]);
  });

  it('sends an incident that has become severe during quiet hours, with its held messages', () => {
    const waiting = [
      wait('1', { subjectId: 'a', deferredBy: 'quiet_hours', dueMs: MORNING }),
      wait('2', { subjectId: 'a', change: 'worse', severity: 'critical' }),
    ];
    expect(plan(waiting, { quiet: QUIET })).toMatchObject([
      { kind: 'send', delivery: { id: '2' }, collapsed: ['1'] },
    ]);
  });

  it('holds no edit of a sent message during quiet hours', () => {
    const threads = new Map([['1', { isEditable: true, sentMs: NOW - HOUR_MS }]]);
    const about = { quiet: QUIET, threads, canEdit: true };
    expect(plan([wait('1', { change: 'resolved' })], about)).toMatchObject([{ kind: 'send', isEdit: true }]);
  });

  it('sends open incidents when quiet hours end, and drops resolved ones that were never sent', () => {
    const waiting = [
      wait('1', held),
      wait('2', held),
      wait('3', { ...held, change: 'resolved' }),
      wait('4', { change: 'resolved' }),
    ];
    const threads = new Map([['3', { isEditable: false, sentMs: NOW - 9 * HOUR_MS }]]);
    const steps = plan(waiting, { threads, resolved: new Set(['2', '3', '4']) });
    expect(steps).toMatchObject([
      { kind: 'drop', ids: ['2'], reason: 'resolved_meanwhile' },
      { kind: 'send', delivery: { id: '1' } },
      { kind: 'send', delivery: { id: '3' } },
      { kind: 'send', delivery: { id: '4' } },
    ]);
  });

  it('sends what waited two days for a quiet weekend, and holds what stayed unsent for a day after that', () => {
    const createdMs = NOW - 47 * HOUR_MS;
    expect(plan([wait('1', { ...held, createdMs })])).toMatchObject([{ kind: 'send' }]);
    expect(plan([wait('1', { ...held, createdMs, dueMs: NOW - 25 * HOUR_MS })])).toMatchObject([
      { kind: 'hold' },
    ]);
  });
});

describe('the budget of a route', () => {
  it('sends what is left of a budget, the worst first, and defers the rest to the next digest', () => {
    const waiting = [wait('1', { severity: 'warn' }), wait('2'), wait('3'), wait('4', { routeId: 'other' })];
    const steps = plan(waiting, { budgets: bounded({ used: 1 }) });
    expect(steps).toMatchObject([
      { kind: 'defer', ids: ['3'], by: 'budget', untilMs: MORNING },
      { kind: 'defer', ids: ['1'], by: 'budget', untilMs: MORNING },
      { kind: 'send', delivery: { id: '2' } },
      { kind: 'send', delivery: { id: '4' } },
    ]);
  });

  it('always sends an opening of severity critical, which uses the budget, and none that is resolved', () => {
    const critical = { severity: 'critical' } as const;
    const waiting = [wait('1', critical), wait('2', { ...critical, change: 'resolved' })];
    expect(plan(waiting, { budgets: bounded({ used: 5 }) })).toMatchObject([
      { kind: 'send', delivery: { id: '1' } },
      { kind: 'defer', ids: ['2'] },
    ]);
    expect(plan([wait('1', critical), wait('2')], { budgets: bounded({ used: 1 }) })).toMatchObject([
      { kind: 'send', delivery: { id: '1' } },
      { kind: 'defer', ids: ['2'] },
    ]);
  });

  it('sends messages over the weekly limit as one digest a day, in their current states', () => {
    const waiting = [wait('1', beyond), wait('2', { ...beyond, change: 'resolved' })];
    const resolved = new Set(['2']);
    expect(plan(waiting, { budgets: bounded({ used: 2 }), resolved })).toEqual([
      { kind: 'digest', ids: ['1', '2'], severity: 'error', routeId: 'r' },
    ]);
    const lastDigestMs = NOW - 3 * HOUR_MS;
    expect(plan(waiting, { budgets: bounded({ used: 2, lastDigestMs }) })).toMatchObject([
      { kind: 'defer', ids: ['1'], untilMs: MORNING },
      { kind: 'defer', ids: ['2'], untilMs: MORNING },
    ]);
  });

  it('keeps deferred messages for the digest, with later ones unless these are critical', () => {
    const waits = wait('1', { subjectId: 'a', deferredBy: 'budget', dueMs: MORNING });
    const after = (rest: Partial<WaitingDelivery>) => [waits, wait('2', { subjectId: 'a', ...rest })];
    expect(plan(after({ change: 'resolved' }), { budgets: bounded() })).toEqual([
      { kind: 'defer', ids: ['1', '2'], by: 'budget', untilMs: MORNING },
    ]);
    expect(plan(after({ severity: 'critical' }), { budgets: bounded() })).toMatchObject([
      { kind: 'send', delivery: { id: '2' }, collapsed: ['1'] },
    ]);
  });

  it('defers the digest of a budget to the end of quiet hours', () => {
    expect(plan([wait('1', beyond)], { budgets: bounded(), quiet: QUIET })).toEqual([
      { kind: 'defer', ids: ['1'], by: 'budget', untilMs: MORNING },
    ]);
  });

  it('sends an existing digest, and attempted messages, without counting them again', () => {
    const digest = wait('1', { subjectKind: 'digest', change: 'over_budget' });
    const steps = plan([digest, wait('2', { attempts: 1 })], { budgets: bounded({ used: 2 }) });
    expect(steps.map(({ kind }) => kind)).toEqual(['send', 'send']);
  });
});
