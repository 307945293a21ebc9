import { describe, expect, it } from 'vitest';
import { listChanges, nameTarget, sayDeed } from './audit-words.ts';

describe('an entry of the audit log in words', () => {
  it('says what was done, also where this version does not know the action', () => {
    expect(sayDeed({ action: 'project.created' })).toBe('created the project');
    expect(sayDeed({ action: 'alert_rule.muted' })).toBe('alert rule muted');
  });

  it('names what was changed by the name it had, a member’s name, or its id', () => {
    const members = new Map([['usr_1', 'Grace']]);
    const entry = { before: { name: 'Shop' }, after: { name: 'Store' } };
    expect(nameTarget({ action: 'project.changed', targetId: 'proj_1', ...entry }, members)).toBe('Shop');
    const role = { action: 'member.role_changed', before: { role: 'OWNER' }, after: { role: 'MEMBER' } };
    expect(nameTarget({ ...role, targetId: 'usr_1' }, members)).toBe('Grace');
    expect(nameTarget({ ...role, targetId: 'usr_2' }, members)).toBe('usr_2');
  });

  it('names nothing where the deed is about whoever did it', () => {
    const entry = { action: 'account.signed_up', targetId: 'usr_1', before: null, after: { name: 'Ada' } };
    expect(nameTarget(entry, new Map())).toBeNull();
  });

  it('lists only the fields that differ, whatever their type', () => {
    expect(
      listChanges({ before: { name: 'Shop', plan: 'free', seats: 3 }, after: { name: 'Shop', plan: 'pro' } }),
    ).toEqual([
      { field: 'plan', from: 'free', to: 'pro' },
      { field: 'seats', from: '3', to: null },
    ]);
    expect(listChanges({ before: null, after: null })).toEqual([]);
  });
});
