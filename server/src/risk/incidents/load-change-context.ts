import { UP } from '@tocsin/detector';
import type { Queryable, Transaction } from '../../database/database.ts';
import { listGroupsOfEvents } from '../../events/group-queries.ts';
import { findGroup } from '../../groups/queries.ts';
import { toGroup } from '../../groups/schema.ts';
import { listNewestOfSeries } from '../../incidents/event-queries.ts';
import type { EvidenceGroup, RiskSeries } from '../../incidents/evidence-schema.ts';
import { findIncidentByNumber, findLastResolvedOf, findOngoingOf } from '../../incidents/risk-queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { ChangeContext } from './change-context.ts';
import { chooseHeadline } from './headline.ts';
import { askReleases, questionOf, type ReleaseLooks } from './look-at-releases.ts';
import { type OpenedAlarm, windowOf } from './opened-alarm.ts';
import type { IncidentPlan } from './plan-incidents.ts';
import { releaseQuestion } from './release-looks.ts';
import { rulesOf } from './rule-side.ts';

/** UUIDs, and how far the detectors' time is ahead of the clocks. */
export interface ProjectContext {
  organizationId: string;
  projectId: string;
  shiftMs: number;
  releaseLooks: ReleaseLooks;
}

/** Series whose next alarm is about the same. A rule, or a new error, may be about something else. */
const CONTINUED: ReadonlySet<RiskSeries['kind']> = new Set([
  'events',
  'errors',
  'total',
  'other',
  'failed_payments',
]);
/** Before a silence, the last events say most. */
const BEFORE_SILENCE_MS = 24 * 60 * 60_000;

/**
 * Reads what `decideIncidentChange` needs. The rows of the incidents are locked until the transaction ends.
 * @param openNumbers the numbers of the incidents that the detector has open
 */
export async function loadChangeContext(
  transaction: Transaction,
  project: ProjectContext,
  plan: IncidentPlan,
  openNumbers: number[],
): Promise<{ row: IncidentRow | null; context: ChangeContext }> {
  const nowMs = transaction.now();
  const { organizationId, projectId, shiftMs, releaseLooks } = project;
  const row = await findIncidentByNumber(transaction, organizationId, projectId, plan.incident);
  const headline = chooseHeadline(row, plan, { nowMs, shiftMs });
  const context: ChangeContext = {
    organizationId,
    projectId,
    nowMs,
    shiftMs,
    headline,
    newestEvents: [],
    group: null,
    release: null,
    ongoing: null,
    previousIncidentId: null,
  };
  if (!headline) {
    const question = row && releaseQuestion(row, plan, nowMs);
    if (question) context.release = { share: await askReleases(transaction, releaseLooks, plan, question) };
    return { row, context };
  }
  const { series, anomaly } = headline.alarm;
  if (!row) {
    context.ongoing = await findOngoing(transaction, project, headline.alarm, openNumbers);
    if (!context.ongoing) {
      const previous = await findLastResolvedOf(transaction, organizationId, projectId, series);
      context.previousIncidentId = previous?.id ?? null;
    }
  }
  context.group = await findGroupOfNewError(transaction, project, headline.alarm, plan);
  const { fromMs } = windowOf(headline.alarm, shiftMs, nowMs);
  const question = questionOf(project, headline.alarm, nowMs);
  context.release = { share: await askReleases(transaction, releaseLooks, plan, question) };
  const since = new Date(anomaly.side === UP ? fromMs : fromMs - BEFORE_SILENCE_MS);
  context.newestEvents = await listNewestOfSeries(transaction, organizationId, { projectId, series }, since);
  return { row, context };
}

/** Its first event is stored, and so its group is known, before the detector counts it. */
async function findGroupOfNewError(
  database: Queryable,
  { organizationId, projectId }: ProjectContext,
  headline: OpenedAlarm,
  plan: IncidentPlan,
): Promise<EvidenceGroup | null> {
  const opened = plan.kind === 'alarms' ? plan.opened : [];
  const newError = [headline, ...opened].find(({ series }) => series.kind === 'new_kind');
  const fingerprint = newError?.series.fingerprint ?? null;
  if (fingerprint === null) return null;
  const groups = await listGroupsOfEvents(database, organizationId, [{ projectId, fingerprint }]);
  const groupId = groups.get(`${projectId} ${fingerprint}`);
  const group = groupId === undefined ? null : await findGroup(database, organizationId, groupId);
  if (!group || group.number === 0) return null;
  const { id, number, key, title } = toGroup(group);
  return { id, number, key, title };
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
