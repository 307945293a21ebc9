import type { NewestEvent } from '../../events/read-types.ts';
import type { EvidenceGroup, ReleaseShare } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { LeadCount } from '../counts/count-lead.ts';
import type { Headline } from '../headline/headline.ts';
import type { OpenedAlarm } from '../headline/opened-alarm.ts';
import { titleOfLead } from '../headline/title.ts';

/** Data that a decision depends on beside the incident and the plan. */
export interface ChangeContext {
  organizationId: string;
  projectId: string;
  nowMs: number;
  /** How far the detectors' time is ahead of the clocks. */
  shiftMs: number;
  /** Result of `chooseHeadline`. */
  headline: Headline | null;
  /** Newest events of the headline's series; empty without a headline. */
  newestEvents: NewestEvent[];
  /**
   * Counts of the incident after the change: of the headline, else of its previous lead; null: they have not changed.
   */
  count: LeadCount | null;
  /** Group of the new error among the opened alarms, the headline first. */
  group: EvidenceGroup | null;
  /** Comparison of the errors' releases; null: they are not compared now. */
  release: { share: ReleaseShare | null } | null;
  /** For a new alarm: an unresolved incident of the same series that no open alarm has, in which it continues. */
  ongoing: IncidentRow | null;
  /** For a new alarm: an unresolved incident that alerts about its source have opened or joined in the last minutes. */
  ofAlerts: IncidentRow | null;
  /** True if alerts of the incident fire. */
  hasOpenAlerts: boolean;
  /** For a new alarm: the last resolved incident of the same series. */
  previousIncidentId: string | null;
}

/** Title of an incident; a person's title is kept. */
export function titleOf(row: IncidentRow | null, alarm: OpenedAlarm, context: ChangeContext): string {
  const { count, newestEvents } = context;
  return row?.titleOrigin === 'person'
    ? row.title
    : titleOfLead(alarm, count?.lead.main ?? null, newestEvents);
}

/** The row with the current counts of its lead. */
export function withCount<Row extends Pick<IncidentRow, 'eventCount' | 'evidence'>>(
  row: Row,
  count: LeadCount | null,
): Row {
  if (!count || !row.evidence) return row;
  return { ...row, eventCount: count.eventCount, evidence: { ...row.evidence, lead: count.lead } };
}
