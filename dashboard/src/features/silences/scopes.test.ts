import { expect, it } from 'vitest';
import type { IncidentGroup } from '../../lib/api-types.ts';
import { scopesOf } from './scopes.ts';

const INCIDENT = {
  id: 'inc_1',
  projectId: 'proj_1',
  type: null,
  source: null,
  groupKey: null,
  scheduleId: null,
};
const withShare = (share: number) =>
  // Only the fields that the function reads.
  [{ group: { id: 'grp_1', key: 'SHOP-1' }, share }] as unknown as readonly IncidentGroup[];

it('offers the scheduled job of an incident alone, never its project', () => {
  expect(scopesOf({ ...INCIDENT, scheduleId: 'sch_1' }, withShare(0.9))).toEqual([
    { label: 'This job', scope: { projectId: 'proj_1', scheduleId: 'sch_1' } },
  ]);
});

it('offers the group of an incident that has nine in ten of its events, and none that has fewer', () => {
  const project = { label: 'The whole project', scope: { projectId: 'proj_1' } };
  const group = { label: 'Group SHOP-1', scope: { projectId: 'proj_1', groupId: 'grp_1' } };
  expect(scopesOf(INCIDENT, withShare(0.9))).toEqual([group, project]);
  expect(scopesOf(INCIDENT, withShare(0.89))).toEqual([project]);
});
