import type { NewestEvent } from '../../incidents/event-queries.ts';
import type { AttachedAlarm, EvidenceGroup, ReleaseShare } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { toEvidence } from './evidence.ts';
import type { Headline } from './headline.ts';
import { type OpenedAlarm, toAttached } from './opened-alarm.ts';
import { namedSeriesOf } from './places.ts';
import { toTitle } from './words.ts';

/** What a decision depends on beside the incident and the plan. */
export interface ChangeContext {
  organizationId: string;
  projectId: string;
  nowMs: number;
  /** How far the detectors' time is ahead of the clocks. */
  shiftMs: number;
  /** As `chooseHeadline` says. */
  headline: Headline | null;
  /** The newest events of the headline's series; empty without a headline. */
  newestEvents: NewestEvent[];
  /** Of the new error among the opened alarms, the headline first. */
  group: EvidenceGroup | null;
  /** What its releases say of the errors; null: they are not compared now. */
  release: { share: ReleaseShare | null } | null;
  /** For a new alarm: an unresolved incident of the same series that no open alarm has, in which it continues. */
  ongoing: IncidentRow | null;
  /** For a new alarm: the last resolved incident of the same series. */
  previousIncidentId: string | null;
}

/** A title by a person is kept. */
export function titleOf(row: IncidentRow, alarm: OpenedAlarm, { newestEvents }: ChangeContext): string {
  return row.titleOrigin === 'generated'
    ? toTitle(namedSeriesOf(alarm, newestEvents), alarm.anomaly)
    : row.title;
}

export function evidenceOf(alarm: OpenedAlarm, { newestEvents, shiftMs, nowMs }: ChangeContext) {
  return toEvidence(alarm, newestEvents, shiftMs, nowMs);
}

export function toRows(alarms: OpenedAlarm[], { shiftMs, nowMs }: ChangeContext): AttachedAlarm[] {
  return alarms.map((alarm) => toAttached(alarm, shiftMs, nowMs));
}
