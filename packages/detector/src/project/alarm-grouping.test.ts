import { describe, expect, it } from 'vitest';
import { DOWN, UP } from '../state/side.ts';
import { attach, createOpenIncidents, detach, dismiss, takeEnded } from './alarm-grouping.ts';
import type { AlarmSubject } from './alarm-subject.ts';

const MINUTE_MS = 60_000;
const series = (index: number): AlarmSubject => ({ kind: 'series', index });
const at = (minute: number) => minute * MINUTE_MS;

describe('alarms', () => {
  it('groups alarms of many series within half an hour of each other into one incident', () => {
    const open = createOpenIncidents();
    const attached = Array.from({ length: 30 }, (_, index) =>
      attach(open, { subject: series(index), side: UP }, at(index * 20)),
    );
    expect(attached.map(({ isNew }) => isNew).filter(Boolean)).toHaveLength(1);
    expect(open.incidents).toMatchObject([
      { number: 1, subjects: Array.from({ length: 30 }, (_, index) => series(index)) },
    ]);
  });

  it('opens another incident for a later alarm, and for one of the other side in another series', () => {
    const open = createOpenIncidents();
    attach(open, { subject: series(0), side: UP }, at(0));
    expect(attach(open, { subject: series(1), side: DOWN }, at(5))).toMatchObject({ isNew: true });
    expect(attach(open, { subject: series(2), side: UP }, at(31))).toMatchObject({ isNew: true });
  });

  it('attaches an alarm of the other side of the same series for an hour and a half', () => {
    const open = createOpenIncidents();
    attach(open, { subject: series(0), side: DOWN }, at(0));
    expect(attach(open, { subject: series(0), side: UP }, at(80))).toMatchObject({
      isNew: false,
      incident: { side: DOWN },
    });
  });

  it('ends an incident once its last alarm has closed and nothing can be attached any more', () => {
    const open = createOpenIncidents();
    attach(open, { subject: series(0), side: UP }, at(0));
    attach(open, { subject: series(1), side: UP }, at(1));
    expect(detach(open, { subject: series(0), side: UP })).toBe(1);
    expect(takeEnded(open, at(600))).toEqual([]);
    expect(detach(open, { subject: series(1), side: UP })).toBe(1);
    expect(detach(open, { subject: series(1), side: UP })).toBeNull();
    expect(takeEnded(open, at(31))).toEqual([]);
    expect(takeEnded(open, at(32))).toEqual([1]);
    expect(open.incidents).toEqual([]);
  });

  it('keeps a flapping alarm in one incident', () => {
    const open = createOpenIncidents();
    for (let minute = 0; minute < 120; minute += 20) {
      attach(open, { subject: series(0), side: DOWN }, at(minute));
      detach(open, { subject: series(0), side: DOWN });
      expect(takeEnded(open, at(minute + 15))).toEqual([]);
    }
    expect(open.nextNumber).toBe(2);
  });

  it('attaches an alarm to the incident in which it is open, however long ago the last one was attached', () => {
    const open = createOpenIncidents();
    attach(open, { subject: { kind: 'new-errors' }, side: UP }, at(0));
    expect(attach(open, { subject: { kind: 'new-errors' }, side: UP }, at(50))).toMatchObject({
      isNew: false,
    });
  });

  it('gives back the open alarms of an incident that a person has resolved, and opens another one for the next', () => {
    const open = createOpenIncidents();
    attach(open, { subject: series(0), side: UP }, at(0));
    expect(dismiss(open, 1)).toEqual([{ subject: series(0), side: UP }]);
    expect(dismiss(open, 1)).toEqual([]);
    expect(attach(open, { subject: series(0), side: UP }, at(1))).toMatchObject({
      isNew: true,
      incident: { number: 2 },
    });
  });
});
