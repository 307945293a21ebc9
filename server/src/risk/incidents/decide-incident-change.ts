import { worst } from '../../events/severity.ts';
import { type AttachedSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import {
  annotateIncident,
  createIncident,
  type IncidentMutation,
  updateIncident,
} from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { type StoredEvidence, sentenceOf } from '../../incidents/stored-evidence.ts';
import { assert } from '../../platform/assert.ts';
import { isoTime } from '../../platform/time.ts';
import { findEscalation, findRise } from '../headline/escalation.ts';
import { attachSeries, evidenceOfLead, toEvidence, withRelease } from '../headline/evidence.ts';
import { toFormerHeadline } from '../headline/headline.ts';
import { describeChange } from '../headline/notes.ts';
import {
  type OpenedAlarm,
  severityOfEvidence,
  toAttached,
  worstSeverityOf,
} from '../headline/opened-alarm.ts';
import { type ChangeContext, titleOf, withCount } from './change-context.ts';
import type { AlarmsPlan, IncidentPlan } from './plan-incidents.ts';

const BACK_TO_NORMAL = 'Back to normal, or this is the new baseline.';
const NONE: IncidentMutation = { kind: 'none' };

/**
 * Decides how a plan of the detector changes an incident. A person's title stays, a severity is never lowered, and a
 * resolved incident is left unchanged: the detector learns of the resolution with its next round.
 * @param row null: the detector's number has no incident yet
 */
export function decideIncidentChange(
  row: IncidentRow | null,
  plan: IncidentPlan,
  context: ChangeContext,
): IncidentMutation {
  if (plan.kind === 'ends') return row ? end(withCount(row, context.count), context) : NONE;
  if (row) return row.status === 'resolved' ? NONE : continueIncident(row, plan, context);
  const { headline, ongoing, ofAlerts } = context;
  if (!headline) return NONE;
  if (ongoing) return reopen(ongoing, plan, headline.alarm, context);
  return ofAlerts ? join(ofAlerts, plan, headline.alarm, context) : open(plan, headline.alarm, context);
}

/** Evidence of a lead and of the other alarms that opened with it. */
function evidenceOfOpened(plan: AlarmsPlan, lead: OpenedAlarm, context: ChangeContext) {
  const { shiftMs, nowMs } = context;
  const others = plan.opened.filter((alarm) => alarm !== lead);
  return evidenceOfLead(
    lead,
    others.map((alarm) => toAttached(alarm, shiftMs, nowMs)),
    context,
  );
}

/** Adds the evidence to the incident of alerts about the same source, which keeps its title. */
function join(
  ofAlerts: IncidentRow,
  plan: AlarmsPlan,
  lead: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  const { type, source } = lead.series;
  const evidence = evidenceOfOpened(plan, lead, context);
  const row = withCount({ ...ofAlerts, riskNumber: plan.incident, type, source, evidence }, context.count);
  const severity = worst(row.severity, worstSeverityOf(plan.opened));
  return updateIncident(row, { severity }, { userId: null, note: sentenceOf(evidence) }, context.nowMs);
}

function open(plan: AlarmsPlan, lead: OpenedAlarm, context: ChangeContext): IncidentMutation {
  const { organizationId, projectId, nowMs, previousIncidentId } = context;
  const { type, source } = lead.series;
  return createIncident(
    {
      organizationId,
      projectId,
      title: titleOf(null, lead, context),
      severity: worstSeverityOf(plan.opened),
      status: 'open',
      cause: {
        kind: 'risk',
        number: plan.incident,
        type,
        source,
        eventCount: context.count?.eventCount ?? 0,
        evidence: evidenceOfOpened(plan, lead, context),
        previousIncidentId,
      },
    },
    nowMs,
  );
}

/**
 * Continues an incident that was left open for a person: an alarm after a quiet time takes it over under its new
 * number.
 */
function reopen(
  ongoing: IncidentRow,
  plan: AlarmsPlan,
  lead: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  // A resolved incident is left unchanged: the alarm would belong to none.
  assert(ongoing.status !== 'resolved', 'An alarm would continue in a resolved incident.');
  // The incident began long before the alarm.
  const { sentence } = toEvidence(lead, { ...context, count: null });
  const row = withCount(
    { ...ongoing, riskNumber: plan.incident, evidence: ongoing.evidence && withoutEnd(ongoing.evidence) },
    context.count,
  );
  const note = `It’s back. ${sentence}`;
  const severity = worst(ongoing.severity, worstSeverityOf(plan.opened));
  return updateIncident(row, { severity }, { userId: null, note }, context.nowMs);
}

/**
 * Adds the alarms of a round to an incident, and changes its lead if one of them is chosen: the former one becomes one
 * of the attached series. One entry has everything that changes.
 */
function continueIncident(row: IncidentRow, plan: AlarmsPlan, context: ChangeContext): IncidentMutation {
  const { opened, furtherEvents } = plan;
  const { headline, nowMs, shiftMs } = context;
  if (opened.length === 0 && furtherEvents === 0) return NONE;
  const severity = worst(row.severity, worstSeverityOf(opened));
  const { evidence } = row;
  if (!evidence) return updateIncident(row, { severity }, { userId: null, note: null }, nowMs);
  const before = { ...row, evidence };
  const lead = headline?.alarm ?? null;
  const rows = opened.map((alarm) => toAttached(alarm, shiftMs, nowMs));
  const attached = lead
    ? { ...evidenceOfLead(lead, [...seriesOf(evidence), ...rows], context), headlineAt: isoTime(nowMs) }
    : withRelease(
        { ...attachSeries(evidence, rows), ...risenLead(evidence, rows) },
        withCount(row, context.count).eventCount,
        context.release,
      );
  // A rise that began with a new error is no other trouble.
  const escalated = headline?.kind === 'grown' ? null : findEscalation(row, evidence, opened, context);
  const after = withCount(
    {
      ...row,
      ...(lead && { type: lead.series.type, source: lead.series.source }),
      evidence: {
        ...attached,
        group: evidence.group ?? attached.group,
        escalation: escalated?.escalation ?? attached.escalation,
      },
    },
    context.count,
  );
  const note = describeChange({
    before,
    after,
    lead: lead && toAttached(lead, shiftMs, nowMs),
    escalated,
    risen: findRise(row, evidence, rows, escalated?.series ?? null),
    release: context.release?.share ?? null,
  });
  const title = lead ? titleOf(row, lead, context) : row.title;
  return updateIncident(after, { title, severity }, { userId: null, note }, nowMs);
}

/** The severity of a lead whose own alarm has become worse; its sentence still says how it began. */
function risenLead(evidence: StoredEvidence, rows: AttachedSeries[]): Pick<StoredEvidence, 'leadSeverity'> {
  const own = rows.find((each) => seriesKey(each) === seriesKey(evidence.series));
  return own ? { leadSeverity: worst(severityOfEvidence(evidence), own.alarmSeverity) } : {};
}

/** Evidence whose sentence is in the present tense again. */
function withoutEnd({ endedAt: _endedAt, ...evidence }: StoredEvidence): StoredEvidence {
  return evidence;
}

/** All series of an incident so far, that of its lead first. */
function seriesOf(evidence: StoredEvidence): AttachedSeries[] {
  return [toFormerHeadline(evidence), ...evidence.alsoSeries];
}

function end(
  row: IncidentRow,
  { nowMs, hasOpenAlerts }: Pick<ChangeContext, 'nowMs' | 'hasOpenAlerts'>,
): IncidentMutation {
  if (row.status === 'open' && !hasOpenAlerts) {
    const note = `${BACK_TO_NORMAL} Resolved automatically.`;
    return updateIncident(row, { status: 'resolved' }, { userId: null, note }, nowMs);
  }
  if (row.status === 'resolved') return NONE;
  const evidence = row.evidence && { ...row.evidence, endedAt: isoTime(nowMs) };
  const reason = hasOpenAlerts ? 'alerts still fire' : 'it’s being investigated';
  const note = `${BACK_TO_NORMAL} Left open because ${reason}.`;
  return annotateIncident({ ...row, evidence }, note, null, nowMs);
}
