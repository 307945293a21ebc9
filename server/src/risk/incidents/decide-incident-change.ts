import { worst } from '../../events/severity.ts';
import {
  annotateIncident,
  createIncident,
  type IncidentMutation,
  updateIncident,
} from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { assert } from '../../platform/assert.ts';
import { sayBreadth } from '../headline/breadth.ts';
import { attachSeries, keepGroup, toEvidence } from '../headline/evidence.ts';
import { sayFirstError } from '../headline/first-error.ts';
import { type OpenedAlarm, worstSeverityOf } from '../headline/opened-alarm.ts';
import { attachAlarms } from './attach-alarms.ts';
import { type ChangeContext, titleOf, toRows, withCount } from './change-context.ts';
import { outgrow, replaceHeadline } from './change-headline.ts';
import type { AlarmsPlan, IncidentPlan } from './plan-incidents.ts';
import { sayRelease } from './release-looks.ts';

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
  const mutation = decide(row, plan, context);
  // A reopened incident keeps its evidence.
  return mutation.kind === 'none' || context.ongoing ? mutation : sayRelease(mutation, context.release);
}

function decide(row: IncidentRow | null, plan: IncidentPlan, context: ChangeContext): IncidentMutation {
  if (plan.kind === 'ends') return row ? end(withCount(row, context.count), context.nowMs) : NONE;
  if (row) return row.status === 'resolved' ? NONE : continueIncident(row, plan, context);
  const { headline, ongoing } = context;
  if (!headline) return NONE;
  return ongoing ? comeBack(ongoing, plan, headline.alarm, context) : open(plan, headline.alarm, context);
}

function open(plan: AlarmsPlan, lead: OpenedAlarm, context: ChangeContext): IncidentMutation {
  const { organizationId, projectId, nowMs, previousIncidentId, newestEvents } = context;
  const { series } = lead;
  const others = plan.opened.filter((alarm) => alarm !== lead);
  const { evidence } = attachSeries(toEvidence(lead, context), toRows(others, context));
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
        type: series.type,
        source: series.source,
        eventCount: context.count?.eventCount ?? 0,
        evidence: keepGroup(
          sayFirstError(sayBreadth(evidence, lead, newestEvents), null, plan.opened),
          null,
          context.group,
        ),
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
function comeBack(
  ongoing: IncidentRow,
  plan: AlarmsPlan,
  lead: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  // A resolved incident is left unchanged: the alarm would belong to none.
  assert(ongoing.status !== 'resolved', 'An alarm would continue in a resolved incident.');
  // The incident began long before the alarm.
  const { sentence } = toEvidence(lead, { ...context, count: null });
  const row = withCount({ ...ongoing, riskNumber: plan.incident }, context.count);
  const noted = annotateIncident(row, `It’s back. ${sentence}`, null, context.nowMs);
  const severity = worst(row.severity, worstSeverityOf(plan.opened));
  const raised = updateIncident(noted.incident, { severity }, { userId: null, note: null }, context.nowMs);
  return { ...raised, entries: [...noted.entries, ...raised.entries] };
}

function continueIncident(row: IncidentRow, plan: AlarmsPlan, context: ChangeContext): IncidentMutation {
  const { opened, furtherEvents } = plan;
  if (opened.length === 0 && furtherEvents === 0) return NONE;
  const { headline } = context;
  if (headline?.kind === 'outgrown') return outgrow(row, headline, context);
  return headline?.kind === 'worse'
    ? replaceHeadline(row, opened, headline.alarm, context)
    : attachAlarms(withCount(row, context.count), opened, context);
}

function end(row: IncidentRow, nowMs: number): IncidentMutation {
  if (row.status === 'open') {
    const note = `${BACK_TO_NORMAL} Resolved automatically.`;
    return updateIncident(row, { status: 'resolved' }, { userId: null, note }, nowMs);
  }
  if (row.status === 'resolved') return NONE;
  return annotateIncident(row, `${BACK_TO_NORMAL} Left open because it’s being investigated.`, null, nowMs);
}
