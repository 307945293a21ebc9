import { describe, expect, it } from 'vitest';
import { UP } from '../state/side.ts';
import type { Alarm } from './alarm-subject.ts';
import { addAlarm, addIncident, addNewName, createOpenIncidents, detach } from './open-incidents.ts';

const RISE: Alarm = { subject: { kind: 'series', index: 3 }, side: UP };
const NEW_ERRORS: Alarm = { subject: { kind: 'new-errors' }, side: UP };

describe('the alarms of open incidents', () => {
  it('throws where an alarm is attached to an incident while it is open in another one', () => {
    const open = createOpenIncidents();
    const [first, second] = [addIncident(open, UP, 0), addIncident(open, UP, 0)];
    addAlarm(open, first, RISE);
    expect(() => addAlarm(open, second, { ...RISE })).toThrow(
      'Alarm series 3 of incident 2 is open in incident 1',
    );
    expect(second.open).toEqual([]);
  });

  it('attaches an alarm to another incident once it has closed', () => {
    const open = createOpenIncidents();
    const [first, second] = [addIncident(open, UP, 0), addIncident(open, UP, 0)];
    addAlarm(open, first, RISE);
    expect(detach(open, RISE)).toEqual([1]);
    addAlarm(open, second, RISE);
    expect([first.open, second.open]).toEqual([[], [RISE]]);
  });

  it('holds an alarm once in its incident, and new errors in several incidents', () => {
    const open = createOpenIncidents();
    const [first, second] = [addIncident(open, UP, 0), addIncident(open, UP, 0)];
    for (const incident of [first, second, second]) addAlarm(open, incident, NEW_ERRORS);
    expect([first.open, second.open]).toEqual([[NEW_ERRORS], [NEW_ERRORS]]);
    expect(detach(open, NEW_ERRORS)).toEqual([1, 2]);
  });
});

describe('the new names of an open incident', () => {
  it('keeps each new name of an incident once, and at most four of them', () => {
    const incident = addIncident(createOpenIncidents(), UP, 0);
    for (const name of ['a', 'b', 'a', 'c', 'd', 'e']) addNewName(incident, name);
    expect(incident.renamedTo).toEqual(['a', 'b', 'c', 'd']);
  });
});
