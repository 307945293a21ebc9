import { describe, expect, it } from 'vitest';
import { listChanges } from './audit-changes.ts';
import { collectNames, describeAction, nameTarget } from './audit-words.ts';

describe('an entry of the audit log in words', () => {
  it('words an audit entry even where this version does not know the action', () => {
    expect(describeAction({ action: 'project.created' })).toBe('created the project');
    expect(describeAction({ action: 'group.merged' })).toBe('merged groups into');
    expect(describeAction({ action: 'alert_rule.muted' })).toBe('alert rule muted');
  });

  it('names the changed resource by the name it had, or a member’s name, and never by its id', () => {
    const members = new Map([['usr_1', 'Grace']]);
    const entry = { before: { name: 'Shop' }, after: { name: 'Store' } };
    expect(nameTarget({ action: 'project.changed', targetId: 'proj_1', ...entry }, members)).toBe('Shop');
    const role = { action: 'member.role_changed', before: { role: 'OWNER' }, after: { role: 'MEMBER' } };
    expect(nameTarget({ ...role, targetId: 'usr_1' }, members)).toBe('Grace');
    expect(nameTarget({ ...role, targetId: 'usr_2' }, members)).toBe('a former member');
  });

  it('names an invitation by its address', () => {
    const entry = { action: 'invitation.created', targetId: 'inv_1', before: null };
    expect(nameTarget({ ...entry, after: { email: 'ada@example.com' } }, new Map())).toBe('ada@example.com');
    expect(nameTarget({ ...entry, after: { email: null } }, new Map())).toBeNull();
  });

  it('names no target where an action is about its actor', () => {
    const entry = { action: 'account.signed_up', targetId: 'usr_1', before: null, after: { name: 'Ada' } };
    expect(nameTarget(entry, new Map())).toBeNull();
    const held = {
      action: 'deliveries.released',
      targetId: 'org_1',
      before: { held: 3 },
      after: { held: 0 },
    };
    expect(nameTarget(held, new Map([['org_1', 'Acme']]))).toBeNull();
  });

  it('replaces ids by the newest names that other audit entries hold', () => {
    const change = (targetId: string, before: object | null, after: object | null) =>
      ({ action: 'incident.changed', targetId, before, after }) as Parameters<typeof collectNames>[0][0];
    const names = collectNames([
      change('inc_1', { status: 'open' }, { status: 'resolved' }),
      change('inc_1', { title: 'Old' }, { title: 'New' }),
      change('inc_1', null, { title: 'Old', projectId: 'proj_1' }),
    ]);
    expect([...names]).toEqual([['inc_1', 'New']]);
    expect(nameTarget(change('inc_1', { status: 'open' }, null), names)).toBe('New');
    const created = { before: null, after: { projectId: 'proj_1' } };
    expect(listChanges(created, new Map([['proj_1', 'Shop']]))).toEqual([
      { field: 'project', from: null, to: 'Shop' },
    ]);
  });

  it('names a notification route by its target, if that is known', () => {
    const id = 'ntg_01h455vb4pex5vsknk084sn02q';
    const route = {
      action: 'notification_route.created',
      targetId: 'nrt_1',
      before: null,
      after: { targetId: id },
    };
    expect(nameTarget(route, new Map([[id, 'On call']]))).toBe('to On call');
    expect(nameTarget(route, new Map())).toBeNull();
  });
});
