import { inSavepoint, type Transaction } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { type ReleaseShare, seriesKey } from '../../incidents/evidence-schema.ts';
import { listIncidentsByNumber } from '../../incidents/risk-queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { findOrganizationId } from '../../tenancy/projects/lock-queries.ts';
import { chooseHeadline } from '../headline/headline.ts';
import { windowOf } from '../headline/opened-alarm.ts';
import { findReleaseShare, type ReleaseQuestion } from '../releases/find-release-share.ts';
import type { RoundOutcome } from './outcome.ts';
import { type IncidentPlan, openedOf, planIncidents } from './plan-incidents.ts';

/** Maximum age of an incident whose evidence changes; after that its page still compares releases. */
const MAX_AGE_MS = HOUR_MS;

/**
 * Decides if the releases of an ongoing incident must be compared again: they said nothing so far, and its events
 * have doubled since. So comparisons are few, and each has much more data.
 */
export function releaseQuestion(row: IncidentRow, plan: IncidentPlan, nowMs: number): ReleaseQuestion | null {
  const { organizationId, projectId, evidence, eventCount, createdAt, status } = row;
  if (!evidence || evidence.release || plan.kind !== 'alarms' || status === 'resolved') return null;
  if (nowMs - createdAt.getTime() > MAX_AGE_MS) return null;
  if (eventCount + plan.furtherEvents < 2 * (evidence.releaseComparedAt ?? 1)) return null;
  const { series, rule, from } = evidence;
  return { organizationId, projectId, series, rule, fromMs: Date.parse(from), nowMs };
}

/** Comparisons of releases by their questions. */
export type ReleaseComparisons = ReadonlyMap<string, ReleaseShare | null>;

/**
 * Compares the releases of the incidents that a round is going to change, before any of them is locked: in a busy
 * project the comparison reads tens of thousands of events. If an incident changes meanwhile such that the question
 * is another one, it is asked under the lock.
 */
export async function scanReleases(
  transaction: Transaction,
  { projectId, shiftMs }: { projectId: string; shiftMs: number },
  { detectorEvents, added }: RoundOutcome,
): Promise<ReleaseComparisons> {
  const comparisons = new Map<string, ReleaseShare | null>();
  const plans = planIncidents(detectorEvents, added);
  if (plans.length === 0) return comparisons;
  try {
    await inSavepoint(transaction, async () => {
      const organizationId = await findOrganizationId(transaction, projectId);
      if (organizationId === null) return;
      const numbers = plans.map(({ incident }) => incident);
      const rows = await listIncidentsByNumber(transaction, projectId, numbers);
      const nowMs = transaction.now();
      for (const plan of plans) {
        const row = rows.get(plan.incident) ?? null;
        const headline = chooseHeadline(row, openedOf(plan), { nowMs, shiftMs });
        const question = headline
          ? questionOf({ organizationId, projectId, shiftMs }, headline.alarm, nowMs)
          : row && releaseQuestion(row, plan, nowMs);
        if (question) comparisons.set(keyOf(plan, question), await findReleaseShare(transaction, question));
      }
    });
  } catch (error) {
    // Unanswered questions are asked again under the lock, where a failure concerns this project alone.
    if (isUnavailable(error)) throw error;
    comparisons.clear();
  }
  return comparisons;
}

/** The question at the opening of an incident, or at a change of its headline. */
export function questionOf(
  project: { organizationId: string; projectId: string; shiftMs: number },
  alarm: Parameters<typeof windowOf>[0] & Pick<ReleaseQuestion, 'series'>,
  nowMs: number,
): ReleaseQuestion {
  const { organizationId, projectId, shiftMs } = project;
  const { fromMs } = windowOf(alarm, shiftMs, nowMs);
  return { organizationId, projectId, series: alarm.series, rule: alarm.anomaly.rule, fromMs, nowMs };
}

/** Returns the comparison from before the lock, or compares now. */
export async function askReleases(
  transaction: Transaction,
  comparisons: ReleaseComparisons,
  plan: IncidentPlan,
  question: ReleaseQuestion,
): Promise<ReleaseShare | null> {
  const comparison = comparisons.get(keyOf(plan, question));
  return comparison === undefined ? findReleaseShare(transaction, question) : comparison;
}

function keyOf({ incident }: IncidentPlan, { series, rule, fromMs }: ReleaseQuestion): string {
  return [incident, rule, fromMs, seriesKey(series)].join(' ');
}
