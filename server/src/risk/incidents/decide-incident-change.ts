import { worst } from '../../events/severity.ts';
import type { NewestEvent } from '../../incidents/event-queries.ts';
import { type AttachedAlarm, type RiskSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import {
  annotateIncident,
  createIncident,
  type IncidentMutation,
  updateIncident,
} from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { hasNumbers, readAttached, type StoredEvidence } from '../../incidents/stored-evidence.ts';
import { isoTime } from '../../platform/time.ts';
import { countSources, sayBreadth } from './breadth.ts';
import { findEscalation } from './escalation.ts';
import { attachedNote, attachSeries, toEvidence } from './evidence.ts';
import { sayFirstError } from './first-error.ts';
import { type Headline, toFormerHeadline } from './headline.ts';
import { countEvents, type OpenedAlarm, toAttached, worstSeverityOf } from './opened-alarm.ts';
import { namedSeriesOf } from './places.ts';
import type { IncidentPlan } from './plan-incidents.ts';
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
  /** For a new alarm: an unresolved incident of the same series that no open alarm has, in which it continues. */
  ongoing: IncidentRow | null;
  /** For a new alarm: the last resolved incident of the same series. */
  previousIncidentId: string | null;
}

type AlarmsPlan = Extract<IncidentPlan, { kind: 'alarms' }>;

const BACK_TO_NORMAL = 'Back to normal, or this is the new baseline.';
const NONE: IncidentMutation = { kind: 'none' };

/**
 * What a plan of the detector changes about an incident. A person's title stays, a severity is never lowered, and a
 * resolved incident is left alone: the detector hears of the resolution with its next round.
 * @param row null: the detector's number has no incident yet
 */
export function decideIncidentChange(
  row: IncidentRow | null,
  plan: IncidentPlan,
  context: ChangeContext,
): IncidentMutation {
  if (plan.kind === 'ends') return row ? end(row, context.nowMs) : NONE;
  if (row) return row.status === 'resolved' ? NONE : continueIncident(row, plan, context);
  const { headline, ongoing } = context;
  if (!headline) return NONE;
  return ongoing ? comeBack(ongoing, plan, headline.alarm, context) : open(plan, headline.alarm, context);
}

function open(plan: AlarmsPlan, lead: OpenedAlarm, context: ChangeContext): IncidentMutation {
  const { organizationId, projectId, nowMs, previousIncidentId, newestEvents } = context;
  const { series } = lead;
  const others = plan.opened.filter((alarm) => alarm !== lead);
  const { evidence } = attachSeries(evidenceOf(lead, context), toRows(others, context));
  return createIncident(
    {
      organizationId,
      projectId,
      title: toTitle(namedSeriesOf(lead, newestEvents), lead.anomaly),
      severity: worstSeverityOf(plan.opened),
      status: 'open',
      userId: null,
      risk: {
        number: plan.incident,
        type: series.type,
        source: series.source,
        eventCount: countAll(plan),
        evidence: sayFirstError(sayBreadth(evidence, lead, newestEvents), null, plan.opened),
        previousIncidentId,
      },
    },
    nowMs,
  );
}

/** An alarm after a quiet time continues in an incident that was left open for a person, under its new number. */
function comeBack(
  ongoing: IncidentRow,
  plan: AlarmsPlan,
  lead: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  const { sentence } = evidenceOf(lead, context);
  const row = { ...ongoing, riskNumber: plan.incident, eventCount: ongoing.eventCount + countAll(plan) };
  const noted = annotateIncident(row, `It’s back. ${sentence}`, null, context.nowMs);
  const severity = worst(row.severity, worstSeverityOf(plan.opened));
  const raised = updateIncident(noted.incident, { severity }, { userId: null, note: null }, context.nowMs);
  return { ...raised, entries: [...noted.entries, ...raised.entries] };
}

function continueIncident(row: IncidentRow, plan: AlarmsPlan, context: ChangeContext): IncidentMutation {
  const { opened, furtherEvents } = plan;
  if (opened.length === 0 && furtherEvents === 0) return NONE;
  const { headline } = context;
  if (headline?.kind === 'outgrown') return outgrow(row, plan, headline, context);
  // A sum has counted the events of what is attached to it, except those from before the sum began.
  const more = isSum(row)
    ? Math.max(0, countEvents(opened) - row.eventCount - furtherEvents)
    : countEvents(opened);
  const counted = { ...row, eventCount: row.eventCount + furtherEvents + more };
  return headline?.kind === 'worse'
    ? replaceHeadline(counted, opened, headline.alarm, context)
    : attach(counted, opened, context);
}

/** Attaches alarms to an incident. Series that are new to it get an entry, and so does a worse severity: one for both. */
function attach(row: IncidentRow, opened: OpenedAlarm[], context: ChangeContext): IncidentMutation {
  const severity = worst(row.severity, worstSeverityOf(opened));
  const { evidence } = row;
  if (!evidence) return updateIncident(row, { severity }, { userId: null, note: null }, context.nowMs);
  const attached = attachSeries(evidence, toRows(opened, context));
  const after = { ...row, evidence: attached.evidence };
  return noteAttached(row, after, { opened, added: attached.added.filter(hasNumbers), severity, context });
}

/** The first events of a burst often are a new error; the burst then is the headline. */
function outgrow(
  row: IncidentRow,
  { furtherEvents }: AlarmsPlan,
  { alarm, alarms }: Extract<Headline, { kind: 'outgrown' }>,
  context: ChangeContext,
): IncidentMutation {
  const others = toRows(
    alarms.filter((other) => other !== alarm),
    context,
  );
  const attached = attachSeries(newHeadline(alarm, context), [...others, ...earlierSeries(row)]);
  const evidence = sayFirstError(
    sayBreadth(attached.evidence, alarm, context.newestEvents),
    row.evidence,
    [],
  );
  const { type, source } = evidence.series;
  const eventCount = Math.max(row.eventCount + furtherEvents, countEvents(alarms));
  return updateIncident(
    { ...row, eventCount, evidence, type, source },
    { title: titleOf(row, alarm, context), severity: worst(row.severity, worstSeverityOf(alarms)) },
    { userId: null, note: evidence.sentence },
    context.nowMs,
  );
}

/** What is clearly worse becomes the headline; the former one then is one of the attached series. */
function replaceHeadline(
  row: IncidentRow,
  opened: OpenedAlarm[],
  worse: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  const earlier = earlierSeries(row);
  const known = new Set(earlier.map(seriesKey));
  const base = attachSeries(newHeadline(worse, context), earlier).evidence;
  const { evidence: attached } = attachSeries(base, toRows(opened, context));
  const broad = sayBreadth(attached, worse, context.newestEvents);
  const evidence = sayFirstError(broad, row.evidence, []);
  const { type, source } = evidence.series;
  const others = opened.filter((alarm) => alarm !== worse);
  const added = toRows(opened.includes(worse) ? [worse, ...others] : others, context).filter(
    (attached) => !known.has(seriesKey(attached)),
  );
  const after = { ...row, evidence, type, source };
  const severity = worst(row.severity, worstSeverityOf(opened));
  return noteAttached(row, after, { opened, added, severity, title: titleOf(row, worse, context), context });
}

/** One entry for all that changes with attached series; what is worse, and elsewhere, is said first. */
function noteAttached(
  row: IncidentRow,
  after: IncidentRow,
  change: {
    opened: OpenedAlarm[];
    added: AttachedAlarm[];
    severity: IncidentRow['severity'];
    title?: string;
    context: ChangeContext;
  },
): IncidentMutation {
  const { opened, added, severity, title = row.title, context } = change;
  const found = findEscalation(row, opened, context);
  const key = found && seriesKey(found.alarm.series);
  const named = added.filter((attached) => seriesKey(attached) !== key);
  const note =
    named.length > 0 || found ? attachedNote(named, found?.escalation ?? null, newBreadth(row, after)) : null;
  const evidence =
    after.evidence && found ? { ...after.evidence, escalation: found.escalation } : after.evidence;
  return updateIncident({ ...after, evidence }, { title, severity }, { userId: null, note }, context.nowMs);
}

/** How many sources there are by now; null where no source is new. */
function newBreadth(row: IncidentRow, after: IncidentRow): number | null {
  const sources = countSources(seriesOf(after));
  return sources > countSources(seriesOf(row)) ? sources : null;
}

function seriesOf({ evidence }: IncidentRow): RiskSeries[] {
  return evidence ? [evidence.series, ...readAttached(evidence)] : [];
}

/** The evidence of an incident from the moment on in which another series became its headline. */
function newHeadline(alarm: OpenedAlarm, context: ChangeContext): StoredEvidence {
  return { ...evidenceOf(alarm, context), headlineAt: isoTime(context.nowMs) };
}

/** All series of an incident so far, its headline first. */
function earlierSeries(row: IncidentRow) {
  return row.evidence ? [toFormerHeadline(row.evidence, row), ...readAttached(row.evidence)] : [];
}

function end(row: IncidentRow, nowMs: number): IncidentMutation {
  if (row.status === 'open') {
    const note = `${BACK_TO_NORMAL} Resolved automatically.`;
    return updateIncident(row, { status: 'resolved' }, { userId: null, note }, nowMs);
  }
  if (row.status === 'resolved') return NONE;
  return annotateIncident(row, `${BACK_TO_NORMAL} Left open because it’s being investigated.`, null, nowMs);
}

/** A title by a person is kept. */
function titleOf(row: IncidentRow, alarm: OpenedAlarm, { newestEvents }: ChangeContext): string {
  return row.titleOrigin === 'generated'
    ? toTitle(namedSeriesOf(alarm, newestEvents), alarm.anomaly)
    : row.title;
}

function evidenceOf(alarm: OpenedAlarm, { newestEvents, shiftMs, nowMs }: ChangeContext) {
  return toEvidence(alarm, newestEvents, shiftMs, nowMs);
}

function toRows(alarms: OpenedAlarm[], { shiftMs, nowMs }: ChangeContext): AttachedAlarm[] {
  return alarms.map((alarm) => toAttached(alarm, shiftMs, nowMs));
}

/** Of one round: the events of a rule, and those after it, may also be in a series that has opened. */
function countAll({ opened, furtherEvents }: AlarmsPlan): number {
  const byRules = opened.filter(({ series }) => series.kind === 'rule');
  return Math.max(countEvents(opened), countEvents(byRules) + furtherEvents);
}

const SUMS: ReadonlySet<RiskSeries['kind']> = new Set(['total', 'errors', 'rule']);

function isSum({ evidence }: IncidentRow): boolean {
  return [evidence?.series, ...(evidence?.alsoSeries ?? [])].some(
    (series) => series !== undefined && SUMS.has(series.kind),
  );
}
