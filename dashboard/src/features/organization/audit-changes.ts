import type { AuditRecord } from '../../lib/api-types.ts';
import { formatCount, formatExactTime } from '../../lib/format.ts';
import { formatSpan } from '../../lib/schedules/format-span.ts';
import { texts as deliveryWords } from '../../ui/delivery/texts.ts';

const DAY_SECONDS = 86_400;

/** Words for what has no name in the loaded entries, by the kind in its id. */
const UNKNOWN: Record<string, string> = {
  usr: 'a former member',
  proj: 'a deleted project',
  ntg: 'a notification target',
  inc: 'an incident',
  grp: 'a group',
  key: 'created with it',
  org: 'this one',
};

const ID = /^([a-z]{3,4})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

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
  intervalSeconds: 'interval',
  graceSeconds: 'grace period',
  maxRuntimeSeconds: 'longest run',
  failureAfter: 'incident after',
  recoverAfter: 'resolved after',
  apiKey: 'API key',
  newKinds: 'new errors',
  assigneeId: 'assignee',
  resolvedIn: 'resolved in',
  muteUntil: 'muted until',
  muteForCount: 'muted for',
  muteUntilCount: 'muted until count',
  mutePeriodSeconds: 'within',
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

/** Fields that count, each with its unit for one and for several. */
const COUNTED: Record<string, readonly [one: string, several: string]> = {
  failureAfter: ['failure', 'failures'],
  recoverAfter: ['success', 'successes'],
  muteForCount: ['event', 'events'],
};

/** Returns a number with the unit of its field. */
function wordNumber(value: number, field: string): string {
  if (field.endsWith('Seconds')) return formatSpan(value);
  const counted = COUNTED[field];
  if (counted) return `${formatCount(value)} ${counted[value === 1 ? 0 : 1]}`;
  return field === 'retention' ? formatSpan(value * DAY_SECONDS) : formatCount(value);
}

/**
 * Lists the fields that differ between before and after, in the order of the entry; ids are replaced by names, times are in the
 * reader's time zone.
 */
export function listChanges(
  { before, after }: Pick<AuditRecord, 'before' | 'after'>,
  names: ReadonlyMap<string, string>,
): FieldChange[] {
  // The days of a retention are in fields named by severities.
  const toText = (value: unknown, field: string): string | null => {
    if (value === undefined || value === null) return null;
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'number') return wordNumber(value, field);
    if (Array.isArray(value))
      return value.map((one) => toText(one, field)).join(value.every(isText) ? ', ' : '; ') || 'none';
    if (typeof value === 'object')
      return (
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(
            ([inner, part]) =>
              `${nameField(inner)} ${toText(part, field === 'retention' ? field : inner) ?? ''}`,
          )
          .join(', ') || 'none'
      );
    return isText(value) ? wordText(value, names) : JSON.stringify(value);
  };
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].flatMap((field) => {
    const [from, to] = [toText(before?.[field], field), toText(after?.[field], field)];
    return from === to ? [] : [{ field: nameField(field), from, to }];
  });
}

/**
 * Words changed fields as a sentence: "Grace period from 5 minutes to 10 minutes, time zone set to UTC."
 * @param isChange false where all of them came or went with the resource
 */
export function describeChanges(changes: FieldChange[], isChange: boolean): string {
  const phrases = changes.map(({ field, from, to }) => {
    if (from !== null && to !== null) return `${field} from ${from} to ${to}`;
    if (to !== null) return `${field}${isChange ? ' set to' : ''} ${to}`;
    return `${field} ${from}${isChange ? ' removed' : ''}`;
  });
  const sentence = phrases.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
