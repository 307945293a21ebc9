import { describe, expect, it } from 'vitest';
import { matchesSilence, type SilenceScope, type SilenceSubject } from './matches-silence.ts';

const ANY: SilenceScope = {
  projectId: null,
  type: null,
  source: null,
  severity: null,
  groupId: null,
  scheduleId: null,
  correlation: null,
};
const INCIDENT: SilenceSubject = {
  projectId: 'shop',
  type: 'payment',
  source: 'web',
  severity: 'error',
  groupId: null,
  scheduleId: null,
  events: [],
};
const eventsOf = (groups: (string | null)[], correlation: Record<string, unknown> = {}) =>
  groups.map((groupId) => ({ groupId, correlation }));
const times = (count: number, groupId: string) => Array.from({ length: count }, () => groupId);

describe('a silence', () => {
  it.each<[string, Partial<SilenceScope>, Partial<SilenceSubject>, boolean]>([
    ['of everything covers everything', {}, {}, true],
    ['of a project covers it', { projectId: 'shop' }, {}, true],
    ['of a project covers no other one', { projectId: 'shop' }, { projectId: 'blog' }, false],
    ['of a type covers it', { type: 'payment' }, {}, true],
    ['of a type covers no other one', { type: 'login' }, {}, false],
    ['of a type covers no incident about all types', { type: 'payment' }, { type: null }, false],
    ['of a source covers it', { source: 'web' }, {}, true],
    ['of a source covers no other one', { source: 'app' }, {}, false],
    ['of a source covers no incident without one', { source: 'web' }, { source: null }, false],
    ['of a severity covers it', { severity: 'error' }, {}, true],
    ['of a severity covers no worse one', { severity: 'error' }, { severity: 'critical' }, false],
    ['of a severity covers no milder one', { severity: 'error' }, { severity: 'warn' }, false],
    ['covers only what has all that it names', { type: 'payment', source: 'app' }, {}, false],
    ['of a group covers the group', { groupId: 'a' }, { groupId: 'a' }, true],
    ['of a group covers no other one', { groupId: 'a' }, { groupId: 'b' }, false],
    ['of a group covers no incident without events', { groupId: 'a' }, {}, false],
    ['of a group covers an incident of its events', { groupId: 'a' }, { events: eventsOf(['a', 'a']) }, true],
    [
      'of a group covers an incident of which nine in ten events are its own',
      { groupId: 'a' },
      { events: eventsOf([...times(90, 'a'), ...times(10, 'b')]) },
      true,
    ],
    [
      'of a group covers no incident with more of other events',
      { groupId: 'a' },
      { events: eventsOf([...times(89, 'a'), ...times(11, 'b')]) },
      false,
    ],
    [
      'of a correlation covers what has the value',
      { correlation: { key: 'tenant', value: 'acme' } },
      { events: eventsOf([null], { tenant: 'acme' }) },
      true,
    ],
    [
      'of a correlation compares values as texts',
      { correlation: { key: 'tenant', value: '7' } },
      { events: eventsOf([null], { tenant: 7 }) },
      true,
    ],
    [
      'of a correlation covers no other value',
      { correlation: { key: 'tenant', value: 'acme' } },
      { events: eventsOf([null], { tenant: 'other' }) },
      false,
    ],
    [
      'of a correlation covers nothing without the key',
      { correlation: { key: 'constructor', value: 'undefined' } },
      { events: eventsOf([null]) },
      false,
    ],
    ['of a schedule covers its incident', { scheduleId: 'backup' }, { scheduleId: 'backup' }, true],
    ['of a schedule covers no other one', { scheduleId: 'backup' }, { scheduleId: 'report' }, false],
    ['of a schedule covers nothing else', { scheduleId: 'backup' }, {}, false],
    ['of a correlation covers nothing without events', { correlation: { key: 'a', value: 'b' } }, {}, false],
  ])('checks that a silence %s', (_, scope, subject, expected) => {
    expect(matchesSilence({ ...ANY, ...scope }, { ...INCIDENT, ...subject })).toBe(expected);
  });
});
