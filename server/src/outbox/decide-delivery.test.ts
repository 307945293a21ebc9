import { expect, it } from 'vitest';
import { decideDelivery, type RouteRule, type SubjectChange } from './decide-delivery.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const RULE: RouteRule = {
  id: 'r',
  organizationId: 'o',
  targetId: 't',
  projectId: null,
  minSeverity: 'error',
  changes: ['opened', 'resolved'],
  isTargetEnabled: true,
};
const CHANGE: SubjectChange = {
  organizationId: 'o',
  projectId: 'p',
  subjectKind: 'incident',
  subjectId: 'i',
  change: 'opened',
  severity: 'error',
  severityBefore: 'error',
  at: NOW,
};
const NOTHING = { known: { hasMessage: false, hasEditable: false }, silences: [] };

const decide = (
  rule: Partial<RouteRule>,
  change: Partial<SubjectChange>,
  about: Partial<typeof NOTHING> = {},
) => {
  const decision = decideDelivery(
    { ...RULE, ...rule },
    { ...CHANGE, ...change },
    { ...NOTHING, ...about },
    NOW,
  );
  return decision.kind === 'skipped' ? decision.reason : decision.kind;
};

it('delivers what a route chooses, and says why not otherwise', () => {
  expect(decide({}, {})).toBe('deliver');
  expect(decide({ projectId: 'other' }, {})).toBe('other_project');
  expect(decide({ isTargetEnabled: false }, {})).toBe('target_disabled');
  expect(decide({}, { severity: 'warn' })).toBe('below_severity');
  expect(decide({}, { change: 'group_new' })).toBe('change_not_chosen');
  expect(decide({}, { change: 'worse', severity: 'critical' })).toBe('change_not_chosen');
});

it('delivers a rise to the severity of the route as an opening, and a missed schedule as well', () => {
  expect(decide({}, { change: 'worse', severityBefore: 'warn' })).toBe('deliver');
  expect(decide({}, { change: 'schedule_missed' })).toBe('deliver');
  expect(decide({ changes: ['resolved'] }, { change: 'schedule_missed' })).toBe('change_not_chosen');
});

it('ends what it announced, even if the severity was lowered meanwhile', () => {
  const known = { hasMessage: true, hasEditable: false };
  expect(decide({}, { change: 'resolved', severity: 'info' }, { known })).toBe('deliver');
  expect(decide({}, { change: 'resolved', severity: 'info' })).toBe('below_severity');
});

it('brings up to date only what can be edited', () => {
  expect(decide({}, { change: 'acknowledged' })).toBe('nothing_to_edit');
  const known = { hasMessage: true, hasEditable: true };
  expect(decide({}, { change: 'acknowledged' }, { known })).toBe('deliver');
});
