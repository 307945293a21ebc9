import { UP } from '@tocsin/detector';
import { RELATED_MS } from '../../alerts/alert-states.ts';
import { findIncidentOfAlerts, hasOpenAlerts } from '../../alerts/queries.ts';
import type { Queryable, Transaction } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { sinceOf } from '../../incidents/lead.ts';
import {
  findIncidentByNumber,
  findLastResolvedOf,
  findOngoingOf,
  groupsOfLead,
} from '../../incidents/risk-queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { countIncident, type LeadCount } from '../counts/count-lead.ts';
import { chooseHeadline } from '../headline/headline.ts';
import { findGroupOfNewError, makeLead } from '../headline/make-lead.ts';
import { type OpenedAlarm, rulesOf, windowOf } from '../headline/opened-alarm.ts';
import type { ChangeContext } from './change-context.ts';
import { type IncidentPlan, openedOf } from './plan-incidents.ts';
import { askReleases, questionOf, type ReleaseComparisons, releaseQuestion } from './release-comparisons.ts';

/** UUIDs, and how far the detectors' time is ahead of the clocks. */
export interface ProjectContext {
  organizationId: string;
  projectId: string;
  shiftMs: number;
  releaseComparisons: ReleaseComparisons;
}

/** Kinds of series whose next alarm has the same subject. A rule, or a new error, may have another one. */
const CONTINUED: ReadonlySet<RiskSeries['kind']> = new Set([
  'events',
  'errors',
  'total',
  'other',
  'failed_payments',
]);
/** How far before a silence its last events are read: they say most. */
const BEFORE_SILENCE_MS = 24 * 60 * 60_000;

/**
 * Reads the input of `decideIncidentChange`. The rows of the incidents are locked until the transaction ends.
 * @param openNumbers the numbers of the incidents that the detector has open
 */
export async function loadChangeContext(
  transaction: Transaction,
  project: ProjectContext,
  plan: IncidentPlan,
  openNumbers: number[],
): Promise<{ row: IncidentRow | null; context: ChangeContext }> {
  const nowMs = transaction.now();
  const { organizationId, projectId, shiftMs, releaseComparisons } = project;
  const row = await findIncidentByNumber(transaction, organizationId, projectId, plan.incident);
  const headline = chooseHeadline(row, openedOf(plan), { nowMs, shiftMs });
  const context: ChangeContext = {
    organizationId,
    projectId,
    nowMs,
    shiftMs,
    headline,
    newestEvents: [],
    count: null,
    group: null,
    release: null,
    ongoing: null,
    ofAlerts: null,
    hasOpenAlerts: plan.kind === 'ends' && row !== null && (await hasOpenAlerts(transaction, row.id)),
    previousIncidentId: null,
  };
  if (!headline) {
    context.count = row && (await countIncident(transaction, organizationId, row, nowMs));
    const question = row && releaseQuestion(row, plan, nowMs);
    if (question)
      context.release = { share: await askReleases(transaction, releaseComparisons, plan, question) };
    return { row, context };
  }
  const { alarm } = headline;
  const { series, anomaly } = alarm;
  const alarms = [alarm, ...(openedOf(plan) ?? [])];
  let previous: IncidentRow | null = null;
  if (!row) {
    context.ongoing = await findOngoing(transaction, project, alarm, openNumbers);
    if (context.ongoing) {
      context.count = await countIncident(transaction, organizationId, context.ongoing, nowMs);
    } else {
      previous = await findLastResolvedOf(transaction, organizationId, projectId, { series, groupIds: [] });
    }
  }
  if (!context.ongoing) {
    const previousEndMs = previous?.resolvedAt?.getTime() ?? null;
    const times = { shiftMs, nowMs, previousEndMs, sinceMs: row && sinceOf(row).getTime() };
    context.count = await makeLead(transaction, alarm, { organizationId, projectId, ...times });
    if (!row) {
      const { lead } = context.count;
      Object.assign(context, await findRelated(transaction, context, { lead, series, alarms }, openNumbers));
    }
  }
  context.group = await findGroupOfNewError(transaction, organizationId, alarms, { projectId, nowMs });
  const { fromMs } = windowOf(alarm, shiftMs, nowMs);
  const question = questionOf(project, alarm, nowMs);
  context.release = { share: await askReleases(transaction, releaseComparisons, plan, question) };
  const since = new Date(anomaly.side === UP ? fromMs : fromMs - BEFORE_SILENCE_MS);
  context.newestEvents = await eventsOn(transaction).listNewestOfSeries(
    organizationId,
    { projectId, series },
    since,
  );
  return { row, context };
}

/** Finds the incidents to which a new one is related: the last of its series or groups, and that of alerts about its sources. */
async function findRelated(
  database: Queryable,
  { organizationId, projectId, nowMs }: ChangeContext,
  { lead, series, alarms }: Pick<LeadCount, 'lead'> & { series: RiskSeries; alarms: OpenedAlarm[] },
  openNumbers: number[],
): Promise<Pick<ChangeContext, 'previousIncidentId' | 'ofAlerts'>> {
  const groupIds = groupsOfLead(lead);
  const last = await findLastResolvedOf(database, organizationId, projectId, { series, groupIds });
  const sources = [lead.main?.source, ...alarms.map((each) => each.series.source)].filter(
    (source) => typeof source === 'string',
  );
  const since = new Date(nowMs - RELATED_MS);
  const ofAlerts = await findIncidentOfAlerts(
    database,
    organizationId,
    { projectId, sources, since },
    openNumbers,
  );
  return { previousIncidentId: last?.id ?? null, ofAlerts };
}

async function findOngoing(
  database: Queryable,
  { organizationId, projectId }: ProjectContext,
  { series, anomaly }: OpenedAlarm,
  openNumbers: number[],
): Promise<IncidentRow | null> {
  if (!CONTINUED.has(series.kind)) return null;
  const rules = rulesOf(anomaly.side);
  const exceptNumbers = openNumbers;
  return findOngoingOf(database, organizationId, projectId, { series, rules, exceptNumbers });
}
