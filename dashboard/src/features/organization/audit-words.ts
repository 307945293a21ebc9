import type { AuditRecord } from '../../lib/api-types.ts';

/** What was done, to be read after a name: "Ada created the project". */
const DEEDS: Record<string, string> = {
  'account.signed_up': 'signed up',
  'account.password_changed': 'changed the password',
  'organization.changed': 'changed the organization',
  'member.added': 'added the member',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed the member',
  'project.created': 'created the project',
  'project.changed': 'changed the project',
  'project.deleted': 'deleted the project',
  'api_key.created': 'created the API key',
  'api_key.revoked': 'revoked the API key',
  'incident.created': 'created the incident',
  'incident.changed': 'changed the incident',
  'incident.note_added': 'added a note to the incident',
};

/** An action in words; one that this version does not know is shown as it is. */
export function sayDeed({ action }: Pick<AuditRecord, 'action'>): string {
  return DEEDS[action] ?? action.replaceAll(/[._]/g, ' ');
}

/** Deeds of which the name says nothing more: what they are about is whoever did them. */
const ABOUT_SELF = new Set(['account.signed_up', 'account.password_changed', 'organization.changed']);

/** The name of what was changed, as far as the entry knows it; null where the deed says it all. */
export function nameTarget(
  { action, targetId, before, after }: Pick<AuditRecord, 'action' | 'targetId' | 'before' | 'after'>,
  memberNames: ReadonlyMap<string, string>,
): string | null {
  if (ABOUT_SELF.has(action)) return null;
  for (const values of [before, after]) {
    const name = values?.name ?? values?.title;
    if (typeof name === 'string') return name;
  }
  return memberNames.get(targetId) ?? targetId;
}

/** One field that changed, as text; null where there was or is nothing. */
export interface FieldChange {
  field: string;
  from: string | null;
  to: string | null;
}

const FIELDS: Record<string, string> = { projectId: 'project', organizationId: 'organization' };

/** The fields that differ between before and after, in the order of the entry. */
export function listChanges({ before, after }: Pick<AuditRecord, 'before' | 'after'>): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    const [from, to] = [toText(before?.[name]), toText(after?.[name])];
    return from === to ? [] : [{ field: FIELDS[name] ?? name, from, to }];
  });
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
