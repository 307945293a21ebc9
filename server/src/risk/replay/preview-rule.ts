import { type CountDelta, CountRules, fieldKey, STEP_MS, seriesOfRule } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { FieldCount } from '../../events/read-types.ts';
import type { EventReads } from '../../events/reader.ts';
import { findExpiredUntil } from '../../incidents/groups/facts-queries.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { toSentence } from '../headline/words.ts';
import { MAX_PREVIEWED_EVENTS } from '../settings/limits.ts';
import type { CountRule } from '../settings/schema.ts';
import { listRuleMinutes } from './rule-preview-queries.ts';
import type { RulePreview } from './schema.ts';

const PREVIEWED_MS = 30 * DAY_MS;
const MAX_OPENINGS = 50;

/** Finds when a rule alone would have opened an incident, by the code that evaluates it live. */
export async function previewRule(
  events: EventReads,
  project: [organizationId: string, projectId: string],
  rule: CountRule,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): Promise<RulePreview> {
  const range = { fromMs: minuteOf(nowMs - PREVIEWED_MS), toMs: nowMs };
  const [organizationId, projectId] = project;
  const { database } = events;
  const { field } = rule;
  // The events of every severity count for a share.
  const counted = rule.percent === null ? rule : { ...rule, severity: null };
  if (field) range.fromMs = await findKeptFromMs(database, project, counted, { ...range, retentionDays });
  const past = field
    ? await events.listFieldCounts(
        organizationId,
        { ...counted, projectId, field, maxRead: MAX_PREVIEWED_EVENTS },
        range,
      )
    : await listRuleMinutes(database, project, counted, range);
  const openings = findOpenings(rule, past.counts, range.toMs);
  return {
    from: isoTime(past.completeFromMs ?? range.fromMs),
    to: isoTime(range.toMs),
    events: past.events,
    opened: openings.length,
    openings: openings.slice(-MAX_OPENINGS).toReversed(),
  };
}

/** @returns the time in a range from which on all events are kept that a rule is about */
async function findKeptFromMs(
  database: Queryable,
  [organizationId, projectId]: [string, string],
  rule: CountRule,
  { fromMs, toMs, retentionDays }: { fromMs: number; toMs: number; retentionDays: number },
): Promise<number> {
  const expiredUntil = await findExpiredUntil(database, organizationId, {
    projectId,
    groupId: null,
    series: seriesOfRule(rule),
    fromMs,
    untilMs: toMs,
  });
  return Math.max(fromMs, minuteOf(toMs - retentionDays * DAY_MS), expiredUntil?.getTime() ?? 0);
}

/**
 * Finds the incidents of a rule, as its counts are evaluated live.
 * @param counts oldest first
 */
export function findOpenings(
  rule: CountRule,
  counts: readonly FieldCount[],
  toMs: number,
): RulePreview['openings'] {
  const rules = new CountRules([]);
  rules.setRules([rule]);
  const openings: RulePreview['openings'] = [];
  let bucketMs = counts[0]?.bucketMs ?? toMs;
  let stepMs = Math.floor(bucketMs / STEP_MS) * STEP_MS;
  const open = (fulfilled: ReturnType<CountRules['count']>) => {
    for (const { anomaly } of fulfilled)
      openings.push({
        openedAt: isoTime(bucketMs),
        closedAt: null,
        sentence: toSentence(
          seriesOfRule(rule),
          { ...anomaly, matched: null },
          { toMs: bucketMs, lead: null },
        ),
      });
  };
  const passTo = (timeMs: number) => {
    open(rules.evaluateShares());
    while (stepMs + STEP_MS <= timeMs) {
      stepMs += STEP_MS;
      const last = openings.at(-1);
      if (rules.advance(stepMs).length > 0 && last) last.closedAt = isoTime(stepMs);
    }
  };
  for (const count of counts) {
    if (count.bucketMs > bucketMs) {
      passTo(count.bucketMs);
      bucketMs = count.bucketMs;
    }
    open(rules.count(toDelta(rule, count)));
  }
  passTo(toMs);
  return openings;
}

function toDelta({ type, source, field }: CountRule, counted: FieldCount): CountDelta {
  const { bucketMs, severity, count, matching } = counted;
  const delta = { type: type ?? '', severity, source, bucketMs, lastMs: bucketMs, count };
  return field ? { ...delta, fields: { [fieldKey(field)]: matching } } : delta;
}
