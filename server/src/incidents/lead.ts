import type { IncidentEvents } from '../events/read-types.ts';
import { MINUTE_MS } from '../platform/durations.ts';
import { toId, toUuid } from '../platform/ids.ts';
import { minuteOf } from '../platform/time.ts';
import type { RiskRule, RiskSeries } from './evidence-schema.ts';
import type { Lead } from './lead-schema.ts';
import type { IncidentRow } from './rows.ts';

const ABSENCES: readonly RiskRule[] = ['drop', 'silence'];

/** True if a rule is about missing events. */
export function isAbsence(rule: RiskRule | null): boolean {
  return rule !== null && ABSENCES.includes(rule);
}

type LeadFields = Pick<IncidentRow, 'evidence' | 'origin' | 'scheduleId'>;

export function leadOf({ evidence, origin, scheduleId }: LeadFields): Lead {
  if (!evidence) {
    if (origin === 'schedule') return { kind: 'schedule', scheduleId: scheduleId && toId('sch', scheduleId) };
    return { kind: origin === 'manual' ? 'manual' : 'alerts' };
  }
  const { series, rule, lead } = evidence;
  if (isAbsence(rule)) return { kind: 'absence', series };
  return lead?.groupId
    ? { kind: 'group', groupId: toId('grp', lead.groupId), series }
    : { kind: 'series', series };
}

/** The first event or minute of the lead: never the edge of a window once it is counted. */
export function sinceOf({ evidence, createdAt }: Pick<IncidentRow, 'evidence' | 'createdAt'>): Date {
  return evidence ? new Date(evidence.lead?.since ?? evidence.from) : createdAt;
}

/** The first minute that is all of the lead: a silence begins after the last event of a minute. */
export function firstMinuteOf(rule: RiskRule, sinceMs: number): number {
  return rule === 'silence' ? minuteOf(sinceMs) + MINUTE_MS : minuteOf(sinceMs);
}

/** Events of a lead, by the time of capture. */
export interface LeadEvents extends IncidentEvents {
  series: RiskSeries;
}

/** The events that an incident counts; null: none, by its kind. */
export function countedEventsOf(
  row: LeadFields & Pick<IncidentRow, 'projectId' | 'resolvedAt' | 'createdAt'>,
): LeadEvents | null {
  const lead = leadOf(row);
  if (!isCounted(lead)) return null;
  const { projectId, resolvedAt } = row;
  return {
    projectId,
    groupId: lead.kind === 'group' ? toUuid('grp', lead.groupId) : null,
    series: lead.series,
    fromMs: sinceOf(row).getTime(),
    untilMs: resolvedAt && resolvedAt.getTime(),
  };
}

/** How far back the list of events before an absence goes. */
const BEFORE_MS = 7 * 86_400_000;

/** The events that an incident lists: those that it counts; for an absence, those before it. Null: none. */
export function listedEventsOf(row: Parameters<typeof countedEventsOf>[0]): LeadEvents | null {
  const lead = leadOf(row);
  if (lead.kind !== 'absence') return countedEventsOf(row);
  const untilMs = sinceOf(row).getTime() - 1;
  return {
    projectId: row.projectId,
    groupId: null,
    series: lead.series,
    fromMs: untilMs - BEFORE_MS,
    untilMs,
  };
}

function isCounted(lead: Lead): lead is Extract<Lead, { kind: 'group' | 'series' }> {
  return lead.kind === 'group' || (lead.kind === 'series' && countsEvents(lead.series));
}

/** True if stored events belong to the series; none are stored for the series beyond the limit. */
export function countsEvents({ kind }: RiskSeries): boolean {
  return kind !== 'other';
}
