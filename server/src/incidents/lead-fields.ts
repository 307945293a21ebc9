import { HOUR_MS } from '../platform/durations.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { countedEventsOf, leadOf, sinceOf } from './lead.ts';
import type { IncidentRow } from './rows.ts';
import type { Incident } from './schema.ts';

/** Significant digits of a rate: as many as the minutes of the evidence have whole digits. */
const DIGITS = 4;

export function mainGroupOf({ evidence }: IncidentRow): Incident['mainGroup'] {
  const main = evidence?.lead?.main;
  if (!main) return null;
  const { groupId, key, title, share } = main;
  return { groupId: toId('grp', groupId), key, title, share };
}

/** Rate of an incident. Null if none is meaningful: for a new error, for a heartbeat, and without evidence. */
export function rateOf({ evidence }: IncidentRow): Incident['rate'] {
  if (!evidence || evidence.rule === 'new_kind') return null;
  const { rule, observed, expected, windowSeconds, exposure } = evidence;
  if (rule === 'failed_payments') return { observed, usual: expected, unit: 'percent' };
  const perMinute = (count: number) =>
    Number(((count * 60) / Math.max(1, windowSeconds)).toPrecision(DIGITS));
  if (rule === 'above_share')
    return { observed: perMinute(exposure?.failures ?? 0), usual: null, unit: 'per_minute' };
  if (rule === 'at_least') return { observed: perMinute(observed), usual: null, unit: 'per_minute' };
  if (rule === 'error_share') {
    if (!exposure) return null;
    const { failures, events, usualShare } = exposure;
    return { observed: perMinute(failures), usual: perMinute(events * usualShare), unit: 'per_minute' };
  }
  return { observed: perMinute(observed), usual: perMinute(expected), unit: 'per_minute' };
}

const MAX_RELEASES = 5;

/**
 * Comparison of releases of the group that most events belong to: the sample of an incident covers no other times.
 */
export function releaseOf({ evidence }: Pick<IncidentRow, 'evidence'>): Incident['release'] {
  if (!evidence?.release) return null;
  const { release: version, says } = evidence.release;
  const main = evidence.lead?.main ?? null;
  const releases = main?.releases ?? [];
  // The newest come first. One that is not among them appeared after they were read.
  const earlier = releases.slice(releases.indexOf(version) + 1, releases.indexOf(version) + 1 + MAX_RELEASES);
  if (says !== 'all') return { version, says, alsoIn: earlier };
  if (earlier.length > 0) return { version, says: 'returned', alsoIn: earlier };
  const isOnly = main !== null && releases.every((other) => other === version);
  return { version, says: isOnly ? 'new' : 'all', alsoIn: [] };
}

/** An incident without events lists the events of this time before it. */
const BEFORE_MS = HOUR_MS;

export function eventsQueryOf(row: IncidentRow): Incident['eventsQuery'] {
  const incident = { incident_id: toId('inc', row.id) };
  if (leadOf(row).kind === 'absence') return { says: 'before', params: incident };
  if (countedEventsOf(row)) return { says: 'counted', params: incident };
  const since = sinceOf(row);
  const from = isoTime(since.getTime() - BEFORE_MS);
  return { says: 'before', params: { project_id: toId('proj', row.projectId), from, to: isoTime(since) } };
}
