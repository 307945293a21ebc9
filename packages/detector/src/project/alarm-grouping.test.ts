import { describe, expect, it } from 'vitest';
import { DOWN, type Side, UP } from '../state/side.ts';
import type { RiskSeries, Severity } from '../types.ts';
import { attach } from './alarm-grouping.ts';
import type { Alarm, AlarmSubject } from './alarm-subject.ts';
import type { Anomaly } from './anomaly.ts';
import type { Surroundings } from './incident-relations.ts';
import {
  adopt,
  createOpenIncidents,
  detach,
  dismiss,
  type OpenIncidents,
  takeEnded,
} from './open-incidents.ts';
import { ERRORS, eventsSeries, FAILED_PAYMENTS, OTHER, TOTAL } from './series-key.ts';
import type { Movement } from './shared-movement.ts';

const MINUTE_MS = 60_000;
const at = (minute: number) => minute * MINUTE_MS;
const NEW_ERRORS: AlarmSubject = { kind: 'new-errors' };

const ANOMALY: Anomaly = {
  rule: 'rise',
  side: UP,
  observed: 50,
  expected: 10,
  windowMinutes: 1,
  falseAlarmsPerWeek: null,
  strength: 1,
  usualMinutes: null,
  example: null,
  matched: null,
};

/** Series of a project in which most are of the type `http`, by their subjects. */
const indices = new Map<string, number>();
function subjectOf(series: RiskSeries): AlarmSubject {
  const key = JSON.stringify(series);
  const index = indices.get(key) ?? indices.size;
  indices.set(key, index);
  return { kind: 'series', index };
}

interface Opening {
  side?: Side;
  isShared?: Surroundings['isSharedMovement'];
  subject?: AlarmSubject;
  anomaly?: Partial<Anomaly>;
  /** Fields of an alarm at a coarse step, or of a silence. */
  slow?: Pick<Alarm, 'coarseStep' | 'isSilence'>;
}

/** @returns the number of the alarm's incident */
function open(
  incidents: OpenIncidents,
  series: RiskSeries,
  minute: number,
  { side = UP, subject = subjectOf(series), anomaly, slow, isShared = () => false }: Opening = {},
): number {
  const opening = { alarm: { subject, side, ...slow }, series, anomaly: { ...ANOMALY, side, ...anomaly } };
  const surroundings = { isCommonType: (type: string) => type === 'http', isSharedMovement: isShared };
  return attach(incidents, { ...opening, atMs: at(minute) }, surroundings).incident.number;
}

const http = (source: string | null, severity: Severity = 'info') => eventsSeries('http', severity, source);
const job = (source: string | null, severity: Severity = 'info') => eventsSeries('job', severity, source);
const payment = (source: string) => eventsSeries('payment', 'info', source);
const upAlarm = (series: RiskSeries): Alarm => ({ subject: subjectOf(series), side: UP });

describe('attach', () => {
  it('attaches every alarm of either side to an incident that began at most three minutes ago', () => {
    const incidents = createOpenIncidents();
    expect(open(incidents, http('web', 'error'), 0)).toBe(1);
    expect(open(incidents, job('mail'), 3, { side: DOWN })).toBe(1);
    expect(open(incidents, eventsSeries('login', 'info', 'auth'), 4)).toBe(2);
  });

  it('attaches slow alarms of a sum and of its parts to each other while one is open', () => {
    const incidents = createOpenIncidents();
    const slow = { isSilence: true } as const;
    expect(open(incidents, TOTAL, 0, { side: DOWN, slow })).toBe(1);
    expect(open(incidents, job('mail'), 240, { side: DOWN, slow })).toBe(1);
    expect(open(incidents, payment('pay'), 480, { side: DOWN, slow: { coarseStep: 120 } })).toBe(1);
    expect(open(incidents, eventsSeries('login', 'info', 'auth'), 700, { slow: { coarseStep: 120 } })).toBe(
      2,
    );
    expect(open(incidents, eventsSeries('search', 'info', 'find'), 900, { side: DOWN })).toBe(3);
  });

  it('attaches what one step finds in a series to the incident in which another one has an open alarm', () => {
    const incidents = createOpenIncidents();
    expect(open(incidents, job('mail', 'error'), 0, { slow: { coarseStep: 120 } })).toBe(1);
    expect(open(incidents, job('mail', 'error'), 1_000)).toBe(1);
    detach(incidents, upAlarm(job('mail', 'error')));
    expect(incidents.incidents.map(({ open: alarms }) => alarms.length)).toEqual([1]);
  });

  it.each([
    ['another series of the same source, of the other side', http('web', 'error'), job('web')],
    ['the same type and severity in another source', job('web', 'error'), job('mail', 'error')],
    ['payments after their ratio', FAILED_PAYMENTS, payment('bank')],
    ['the ratio of payments after payments', payment('bank'), FAILED_PAYMENTS],
    ['another severity of the same type, both without a source', job(null), job(null, 'error')],
    ['a sum of all events', job('web'), TOTAL],
    ['a sum of all errors', job('web'), ERRORS],
    ['a sum of the series that are not told apart', job('web'), OTHER],
  ])('attaches %s within 30 minutes of the last alarm, and no later', (_, first, second) => {
    for (const [minute, incident] of [
      [30, 1],
      [31, 2],
    ] as const) {
      const incidents = createOpenIncidents();
      open(incidents, first, 0);
      detach(incidents, { subject: subjectOf(first), side: UP });
      expect(open(incidents, second, minute, { side: DOWN })).toBe(incident);
    }
  });

  it.each([
    ['another source and type', job('mail')],
    ['the type of most series in another source', http('mail')],
    ['another severity in another source', eventsSeries('login', 'error', 'mail')],
    ['the same type without a source', http(null)],
  ])('opens an incident for %s more than three minutes later', (_, series) => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    open(incidents, eventsSeries('login', 'info', 'web'), 0);
    expect(open(incidents, series, 4)).toBe(2);
  });

  it('prefers the incident that shares a source to one that has just begun', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    open(incidents, job('mail'), 10);
    expect(open(incidents, http('web', 'error'), 11)).toBe(1);
    expect(open(incidents, TOTAL, 12)).toBe(2);
    expect(open(incidents, http('web', 'warn'), 13)).toBe(1);
    expect(open(incidents, ERRORS, 16)).toBe(1);
  });

  it('attaches an alarm that shares as much with two incidents to the newer one', () => {
    const incidents = createOpenIncidents();
    const login = eventsSeries('login', 'info', 'web');
    expect(open(incidents, login, 0)).toBe(1);
    expect(open(incidents, job('mail'), 10)).toBe(2);
    expect(open(incidents, job('web'), 20)).toBe(2);
  });

  it('attaches anything in a storm: where four sources or more have taken part in the last half hour', () => {
    const incidents = createOpenIncidents();
    for (const source of ['a', 'b', 'c']) open(incidents, http(source), 0);
    expect(open(incidents, job('d'), 10)).toBe(2);
    expect(open(incidents, http('e'), 20)).toBe(2);
    expect(open(incidents, eventsSeries('login', 'info', 'f'), 29)).toBe(2);
    expect(open(incidents, eventsSeries('mail', 'info', 'g'), 60)).toBe(3);
  });

  it('attaches the first part on the same side to a sum alone, within 30 minutes, and no further one', () => {
    for (const [minute, incident] of [
      [30, 1],
      [31, 2],
    ] as const) {
      const incidents = createOpenIncidents();
      open(incidents, ERRORS, 0);
      expect(open(incidents, http('a', 'error'), minute)).toBe(incident);
      expect(open(incidents, job('b', 'error'), minute + 5)).toBe(incident + 1);
    }
  });

  it('attaches a series that takes part for an hour and a half, on either side', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    expect(open(incidents, http('web'), 90, { side: DOWN })).toBe(1);
    for (const side of [UP, DOWN] as const) detach(incidents, { subject: subjectOf(http('web')), side });
    expect(open(incidents, http('web'), 181, { side: DOWN })).toBe(2);
  });

  it('attaches another series of the same source for three hours while an alarm is open', () => {
    for (const [minute, incident] of [
      [180, 1],
      [181, 2],
    ] as const) {
      const incidents = createOpenIncidents();
      open(incidents, http('web'), 0);
      expect(open(incidents, eventsSeries('login', 'error', 'web'), minute)).toBe(incident);
    }
  });

  it('attaches traffic of the same side that the project as a whole moves with, while an alarm is open', () => {
    const movements: Movement[] = [];
    const isShared = (movement: Movement) => movements.push(movement) > 0;
    const incidents = createOpenIncidents();
    open(incidents, TOTAL, 0);
    expect(open(incidents, payment('pay'), 200, { isShared })).toBe(1);
    expect(movements).toMatchObject([{ member: { source: 'pay' }, side: UP, minutes: 30, atMs: at(200) }]);
    expect(open(incidents, job('worker'), 210, { side: DOWN, isShared })).toBe(2);
    for (const series of [TOTAL, payment('pay')]) detach(incidents, upAlarm(series));
    expect(open(incidents, eventsSeries('login', 'info', 'auth'), 220, { isShared })).toBe(3);
  });

  it('attaches a series that takes part while counts of the incident are unusual, and not to a sender missed for weeks', () => {
    for (const [heartbeat, incident] of [
      [undefined, 1],
      [{ kind: 'heartbeat', index: 900 } as const, 2],
    ] as const) {
      const incidents = createOpenIncidents();
      open(incidents, job('worker'), 0, { side: DOWN, ...(heartbeat && { subject: heartbeat }) });
      open(incidents, http('web'), 1, { side: DOWN });
      detach(incidents, { subject: subjectOf(http('web')), side: DOWN });
      const isShared = () => true;
      expect(open(incidents, http('web'), 600, { side: DOWN, isShared })).toBe(incident);
    }
  });

  it('asks once about an alarm whether the project moves with it, however many older incidents are open', () => {
    let asked = 0;
    const isShared = () => asked++ > 1_000;
    const incidents = createOpenIncidents();
    for (let i = 0; i < 50; i++) open(incidents, eventsSeries(`type ${i}`, 'info', `${i}`), i * 200);
    expect(open(incidents, payment('pay'), 10_000, { isShared })).toBe(51);
    expect(asked).toBe(1);
  });

  it('opens an incident for traffic where only its own source moves', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    expect(open(incidents, job('worker'), 20, { isShared: () => false })).toBe(2);
  });

  it('opens an incident for errors while the traffic as a whole moves, and for traffic beside errors', () => {
    const incidents = createOpenIncidents();
    const isShared = () => true;
    open(incidents, http('web'), 0);
    expect(open(incidents, job('worker', 'error'), 20, { isShared })).toBe(2);
    detach(incidents, upAlarm(http('web')));
    expect(open(incidents, eventsSeries('login', 'info', 'auth'), 40, { isShared })).toBe(3);
  });

  it.each([
    ['its own traffic', job('worker')],
    ['all traffic', TOTAL],
  ])('attaches errors in proportion to the traffic to a rise of %s, hours later', (_, traffic) => {
    const exposure = { events: 9_000, failures: 40, usualShare: 0.004 };
    const inProportion = { exposure: { ...exposure, isInProportion: true } };
    for (const [series, anomaly, incident] of [
      [job('worker', 'error'), inProportion, 1],
      [job('worker', 'error'), { exposure: { ...exposure, isInProportion: false } }, 2],
    ] as const) {
      const incidents = createOpenIncidents();
      open(incidents, traffic, 0);
      expect(open(incidents, series, 200, { anomaly })).toBe(incident);
    }
  });

  it('attaches no errors in proportion to their traffic to a rise of other traffic', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    const exposure = { events: 9_000, failures: 40, usualShare: 0.004, isInProportion: true };
    expect(open(incidents, job('worker', 'error'), 20, { anomaly: { exposure } })).toBe(2);
  });

  it('attaches no silence of another source to more errors, of a sum alone as well', () => {
    const incidents = createOpenIncidents();
    open(incidents, ERRORS, 0);
    expect(open(incidents, job('worker'), 12, { side: DOWN })).toBe(2);
    expect(open(incidents, http('web', 'error'), 16)).toBe(1);
    expect(open(incidents, eventsSeries('login', 'info', 'mail'), 20, { side: DOWN })).toBe(3);
  });

  it('attaches the flood after a long silence of the same series', () => {
    const incidents = createOpenIncidents();
    open(incidents, job('queue'), 0, { side: DOWN });
    expect(open(incidents, job('queue'), 300)).toBe(1);
  });

  it('attaches what a long window, or a missed heartbeat, finds late', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web', 'error'), 0);
    expect(open(incidents, job('web'), 100, { anomaly: { rule: 'silence', windowMinutes: 120 } })).toBe(1);
    expect(open(incidents, http('web', 'error'), 400, { anomaly: { windowMinutes: 360 } })).toBe(1);
    const other = eventsSeries('login', 'info', 'auth');
    expect(open(incidents, other, 404, { anomaly: { windowMinutes: 360 } })).toBe(2);
  });

  it('groups a rule by the events that fulfilled it, and new errors by their source', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    open(incidents, job('mail'), 10);
    const rule = {
      name: null,
      field: null,
      percent: null,
      type: null,
      severity: 'critical',
      source: null,
      events: 1,
      minutes: 1,
    } as const;
    const critical: RiskSeries = { ...TOTAL, kind: 'rule', severity: 'critical' };
    const matched = { type: 'boom', source: 'web' };
    const subject = { kind: 'rule', rule } as const;
    expect(open(incidents, critical, 20, { subject, anomaly: { rule: 'at_least', matched } })).toBe(1);
    const newError = (source: string): RiskSeries => ({ ...http(source, 'error'), kind: 'new_kind' });
    const first = { subject: NEW_ERRORS };
    expect(open(incidents, newError('mail'), 30, first)).toBe(2);
    expect(open(incidents, newError('web'), 31, first)).toBe(1);
    expect(open(incidents, newError('mail'), 119, first)).toBe(2);
    expect(detach(incidents, { subject: NEW_ERRORS, side: UP })).toEqual([1, 2]);
  });

  it('opens no more than 100 incidents', () => {
    const incidents = createOpenIncidents();
    for (let i = 0; i < 300; i++) open(incidents, eventsSeries(`type ${i}`, 'info', `${i}`), i * 31);
    expect(incidents.incidents).toHaveLength(100);
  });
});

describe('the end of an incident', () => {
  it('comes once its last alarm has closed and nothing can be attached any more', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    open(incidents, job('web'), 1);
    expect(detach(incidents, upAlarm(http('web')))).toEqual([1]);
    expect(takeEnded(incidents, at(600))).toEqual([]);
    expect(detach(incidents, upAlarm(job('web')))).toEqual([1]);
    expect(detach(incidents, upAlarm(job('web')))).toEqual([]);
    expect(takeEnded(incidents, at(31))).toEqual([]);
    expect(takeEnded(incidents, at(32))).toEqual([1]);
    expect(incidents.incidents).toEqual([]);
  });

  it('waits while an alarm flaps', () => {
    const incidents = createOpenIncidents();
    for (let minute = 0; minute < 120; minute += 20) {
      open(incidents, http('web'), minute, { side: DOWN });
      detach(incidents, { subject: subjectOf(http('web')), side: DOWN });
      expect(takeEnded(incidents, at(minute + 15))).toEqual([]);
    }
    expect(incidents.nextNumber).toBe(2);
  });
});

describe('dismiss', () => {
  it('gives back the open alarms of an incident that a person has resolved, and the next opens another one', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 0);
    expect(dismiss(incidents, 1)).toEqual([upAlarm(http('web'))]);
    expect(dismiss(incidents, 1)).toEqual([]);
    expect(open(incidents, http('web'), 1)).toBe(2);
  });
});

describe('adopt', () => {
  const former = (number: number, series: RiskSeries[], side: Side = UP) => ({
    number,
    side,
    series,
    openedAtMs: at(0),
  });
  const times = { attachedAtMs: at(0), sinceMs: at(10) };

  it('attaches what shares a dimension with the evidence of an adopted incident', () => {
    const incidents = createOpenIncidents();
    adopt(incidents, { ...times, incidents: [former(4, [http('web')])], nextNumber: 6 });
    expect(open(incidents, http('web', 'error'), 20)).toBe(4);
    expect(open(incidents, job('mail'), 20)).toBe(6);
  });

  it('attaches everything of the same side to an adopted incident without evidence', () => {
    const incidents = createOpenIncidents();
    adopt(incidents, { ...times, incidents: [former(1, [], DOWN)], nextNumber: 2 });
    expect(open(incidents, http('web'), 20)).toBe(2);
    expect(open(incidents, job('mail'), 24, { side: DOWN })).toBe(1);
  });

  it('gives the open alarms to the adopted incident that shares a series, which ends when they have closed', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 5);
    adopt(incidents, { ...times, incidents: [former(7, [http('web')])], nextNumber: 8 });
    expect(takeEnded(incidents, at(300))).toEqual([]);
    expect(detach(incidents, upAlarm(http('web')))).toEqual([7]);
    expect(takeEnded(incidents, at(300))).toEqual([7]);
  });

  it('forgets its own incidents of before, and keeps those that opened since under new numbers', () => {
    const incidents = createOpenIncidents();
    open(incidents, http('web'), 10);
    open(incidents, job('mail'), 20);
    const numbers = adopt(incidents, { ...times, incidents: [], nextNumber: 30 });
    expect([...numbers]).toEqual([[2, 30]]);
    expect(incidents.incidents.map(({ number }) => number)).toEqual([30]);
    expect(detach(incidents, upAlarm(http('web')))).toEqual([]);
    expect(detach(incidents, upAlarm(job('mail')))).toEqual([30]);
    expect(incidents.nextNumber).toBe(31);
  });

  it('ends an adopted incident of which no alarm is open', () => {
    const incidents = createOpenIncidents();
    adopt(incidents, { ...times, incidents: [former(2, [http('web')])], nextNumber: 3 });
    expect(takeEnded(incidents, at(30))).toEqual([]);
    expect(takeEnded(incidents, at(31))).toEqual([2]);
  });
});
