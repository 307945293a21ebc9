import type { AuditRecord } from '../../lib/api-types.ts';

/** Actions in words that follow a name: "Ada created the project"; "…" marks the place of a target before the end. */
const ACTIONS: Record<string, string> = {
  'account.signed_up': 'signed up',
  'account.renamed': 'changed their name',
  'account.email_changed': 'changed their email address',
  'account.password_changed': 'changed their password',
  'account.password_reset': 'set a new password by a recovery link',
  'account.recovery_link_printed': 'got a recovery link from the command line',
  'account.totp_activated': 'turned on two-factor authentication',
  'account.totp_disabled': 'turned off two-factor authentication',
  'account.totp_reset': 'had two-factor authentication turned off from the command line',
  'account.recovery_codes_replaced': 'replaced their recovery codes',
  'account.recovery_code_used': 'logged in or confirmed a change with a recovery code',
  'member.totp_disabled': 'turned off two-factor authentication for',
  'member.recovery_link_created': 'created a recovery link for',
  'organization.changed': 'changed the organization',
  'member.added': 'added the member',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed the member',
  'member.joined': 'joined by invitation',
  'member.confirmed': 'chose to stay',
  'invitation.created': 'created the invitation',
  'invitation.revoked': 'revoked the invitation',
  'member.left': 'left the organization',
  'project.created': 'created the project',
  'project.changed': 'changed the project',
  'project.environment_changed': 'changed the watched environments in',
  'project.risk_changed': 'changed the alert settings for',
  'project.deleted': 'deleted the project',
  'erasure.requested': 'requested the erasure',
  'api_key.created': 'created the API key',
  'api_key.revoked': 'revoked the API key',
  'api_key.quota_changed': 'changed the quota for the API key',
  'project.quota_changed': 'changed the quota for',
  'hook.created': 'created the hook',
  'hook.changed': 'changed the hook',
  'hook.deleted': 'deleted the hook',
  'token.created': 'created the access token',
  'token.revoked': 'revoked the access token',
  'token.revoked_by_restore': 'lost the access token … in a restore',
  'dead_letters.replayed': 'queued dead letters again in',
  'dead_letters.discarded': 'discarded dead letters in',
  'deliveries.released': 'released held notifications',
  'deliveries.dropped': 'dropped held notifications',
  'deploy.recorded': 'recorded the deploy',
  'schedule.created': 'declared the schedule',
  'schedule.changed': 'changed the schedule',
  'schedule.ping_url_replaced': 'replaced the ping address of the schedule',
  'schedule.deleted': 'deleted the schedule',
  'incident.created': 'created the incident',
  'incident.changed': 'changed the incident',
  'incident.note_added': 'added a note to the incident',
  'group.changed': 'changed the group',
  'group.merged': 'merged groups into',
  'group.separated': 'separated groups from',
  'notification_target.created': 'created the notification target',
  'notification_target.changed': 'changed the notification target',
  'notification_target.deleted': 'deleted the notification target',
  'notification_route.created': 'created the notification route',
  'notification_route.changed': 'changed the notification route',
  'notification_route.deleted': 'deleted the notification route',
  'silence.created': 'created the silence',
  'silence.ended': 'ended the silence',
  'browser.added': 'turned on notifications in the browser',
  'browser.removed': 'turned off notifications in the browser',
};

/** Describes an action; an unknown one is shown as it is. */
export function describeAction({ action }: Pick<AuditRecord, 'action'>): string {
  return ACTIONS[action] ?? action.replaceAll(/[._]/g, ' ');
}

/** Actions whose target is their actor, so that its name adds nothing. */
const ABOUT_SELF = new Set([
  'account.signed_up',
  'account.renamed',
  'account.email_changed',
  'account.password_changed',
  'account.password_reset',
  'account.recovery_link_printed',
  'account.totp_activated',
  'account.totp_disabled',
  'account.totp_reset',
  'account.recovery_codes_replaced',
  'account.recovery_code_used',
  'deliveries.released',
  'deliveries.dropped',
  'organization.changed',
  'member.joined',
  'member.confirmed',
  'member.left',
]);

type Entry = Pick<AuditRecord, 'action' | 'targetId' | 'before' | 'after'>;

/** Returns the name of the target at that time, or else its present name; null if the action says enough. */
export function nameTarget(entry: Entry, names: ReadonlyMap<string, string>): string | null {
  if (ABOUT_SELF.has(entry.action)) return null;
  const { targetId, before, after } = entry;
  const email = entry.action.startsWith('invitation.') ? (before?.email ?? after?.email) : null;
  if (entry.action.startsWith('notification_route.')) return nameRoute(entry, names);
  return ownName(entry) ?? names.get(targetId) ?? (typeof email === 'string' ? email : nameUnknown(targetId));
}

/** Names a route by its target: a route has no name. */
function nameRoute({ before, after }: Entry, names: ReadonlyMap<string, string>): string | null {
  const targetId: unknown = after?.targetId ?? before?.targetId;
  const name = typeof targetId === 'string' ? names.get(targetId) : undefined;
  return name === undefined ? null : `to ${name}`;
}

/** Returns words in place of an id; null if the action says its kind already. */
function nameUnknown(id: string): string | null {
  const kind = id.slice(0, id.indexOf('_'));
  return kind === 'usr' ? 'a former member' : kind === 'inc' || kind === 'grp' ? '(show)' : null;
}

function ownName({ before, after }: Pick<Entry, 'before' | 'after'>): string | null {
  const name = before?.name ?? before?.title ?? after?.name ?? after?.title;
  return typeof name === 'string' ? name : null;
}

/**
 * Collects names by id from the entries: an entry about an incident holds its title only if that changed.
 * @param entries newest first; the newest name counts
 */
export function collectNames(entries: Entry[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { targetId, before, after } of entries) {
    const name = ownName({ before: after, after: before });
    if (name !== null && !names.has(targetId)) names.set(targetId, name);
  }
  return names;
}
