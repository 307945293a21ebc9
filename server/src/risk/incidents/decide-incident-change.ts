import { worst } from '../../events/severity.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import {
  annotateIncident,
  createIncident,
  type IncidentMutation,
  updateIncident,
} from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { attachAlarms } from './attach-alarms.ts';
import { sayBreadth } from './breadth.ts';
import { type ChangeContext, evidenceOf, toRows } from './change-context.ts';
import { outgrow, replaceHeadline } from './change-headline.ts';
import { attachSeries, keepGroup } from './evidence.ts';
import { sayFirstError } from './first-error.ts';
import { countEvents, type OpenedAlarm, worstSeverityOf } from './opened-alarm.ts';
import { namedSeriesOf } from './places.ts';
import type { AlarmsPlan, IncidentPlan } from './plan-incidents.ts';
import { sayRelease } from './release-looks.ts';
import { toTitle } from './words.ts';

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
  const mutation = decide(row, plan, context);
  // One that comes back keeps the evidence that it had.
  return mutation.kind === 'none' || context.ongoing ? mutation : sayRelease(mutation, context.release);
}

function decide(row: IncidentRow | null, plan: IncidentPlan, context: ChangeContext): IncidentMutation {
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
      cause: {
        kind: 'risk',
        number: plan.incident,
        type: series.type,
        source: series.source,
        eventCount: countAll(plan),
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
    : attachAlarms(counted, opened, context);
}

function end(row: IncidentRow, nowMs: number): IncidentMutation {
  if (row.status === 'open') {
    const note = `${BACK_TO_NORMAL} Resolved automatically.`;
    return updateIncident(row, { status: 'resolved' }, { userId: null, note }, nowMs);
  }
  if (row.status === 'resolved') return NONE;
  return annotateIncident(row, `${BACK_TO_NORMAL} Left open because it’s being investigated.`, null, nowMs);
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
