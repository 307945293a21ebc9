import type { AuditRecord } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { texts as deliveryWords } from '../../ui/delivery/texts.ts';

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

/** Words for what has no name in the loaded entries, by the kind in its id. */
const UNKNOWN: Record<string, string> = {
  usr: 'a former member',
  proj: 'a deleted project',
  ntg: 'a notification target',
  inc: 'an incident',
  grp: 'a group',
};

const ID = /^([a-z]{3,4})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

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

/** A changed field as texts; null where there was or is no value. */
export interface FieldChange {
  field: string;
  from: string | null;
  to: string | null;
}

const FIELDS: Record<string, string> = {
  projectId: 'project',
  organizationId: 'organization',
  invitationId: 'invitation',
  linkFrom: 'link from',
  confirmedBy: 'confirmed by',
  groupPrefix: 'group key prefix',
  codesLeft: 'recovery codes left',
  expiresAt: 'valid until',
  endedAt: 'ended',
  targetId: 'target',
  fallbackTargetId: 'fallback target',
  minSeverity: 'from severity',
  maxPerWeek: 'messages per week',
  quietHours: 'quiet hours',
  timeZone: 'time zone',
  intervalSeconds: 'interval in seconds',
  graceSeconds: 'grace period in seconds',
  maxRuntimeSeconds: 'longest run in seconds',
  failureAfter: 'incident after failures',
  recoverAfter: 'resolved after successes',
  newKinds: 'new errors',
  assigneeId: 'assignee',
  resolvedIn: 'resolved in',
  muteUntil: 'muted until',
  muteForCount: 'muted for events',
  muteUntilCount: 'muted until count',
  mutePeriodSeconds: 'within seconds',
};

/** Returns a field in words; one without words of its own by those in its name. */
const nameField = (field: string): string =>
  FIELDS[field] ?? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const isText = (value: unknown): value is string => typeof value === 'string';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Returns a stored text as it is read: a time in the zone of the reader, a name in place of an id, a change in words. */
function wordText(value: string, names: ReadonlyMap<string, string>): string {
  if (TIME.test(value)) return formatExactTime(value);
  const kind = ID.exec(value)?.[1];
  if (kind !== undefined) return names.get(value) ?? UNKNOWN[kind] ?? 'unknown';
  const word = Object.hasOwn(deliveryWords.changes, value) ? deliveryWords.changes[value] : undefined;
  return names.get(value) ?? word ?? value;
}

/**
 * Lists the fields that differ between before and after, in the order of the entry; ids are replaced by names, times are in the
 * reader's time zone.
 */
export function listChanges(
  { before, after }: Pick<Entry, 'before' | 'after'>,
  names: ReadonlyMap<string, string>,
): FieldChange[] {
  const toText = (value: unknown): string | null => {
    if (value === undefined || value === null) return null;
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (Array.isArray(value)) return value.map(toText).join(value.every(isText) ? ', ' : '; ') || 'none';
    if (typeof value === 'object')
      return Object.entries(value)
        .filter(([, inner]) => inner !== null)
        .map(([field, inner]) => `${nameField(field)} ${toText(inner) ?? ''}`)
        .join(', ');
    return isText(value) ? wordText(value, names) : JSON.stringify(value);
  };
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].flatMap((field) => {
    const [from, to] = [toText(before?.[field]), toText(after?.[field])];
    return from === to ? [] : [{ field: nameField(field), from, to }];
  });
}
