import { type CountDelta, CountRules, fieldKey, STEP_MS, seriesOfRule } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { toSentence } from '../headline/words.ts';
import type { CountRule } from '../settings/schema.ts';
import { listRuleEvents, listRuleMinutes, type RuleCount } from './rule-preview-queries.ts';
import type { RulePreview } from './schema.ts';

const PREVIEWED_MS = 30 * DAY_MS;
const MAX_OPENINGS = 50;

/** Finds when a rule alone would have opened an incident, by the code that evaluates it live. */
export async function previewRule(
  database: Queryable,
  project: [organizationId: string, projectId: string],
  rule: CountRule,
  nowMs: number,
): Promise<RulePreview> {
  const range = { fromMs: minuteOf(nowMs - PREVIEWED_MS), toMs: nowMs };
  const { field } = rule;
  const { counts, completeFromMs, events } = field
    ? await listRuleEvents(database, project, { ...rule, field }, range)
    : await listRuleMinutes(database, project, rule, range);
  const openings = findOpenings(rule, counts);
  return {
    from: isoTime(completeFromMs ?? range.fromMs),
    to: isoTime(range.toMs),
    events,
    opened: openings.length,
    openings: openings.slice(-MAX_OPENINGS).toReversed(),
  };
}

/** @param counts oldest first */
function findOpenings(rule: CountRule, counts: RuleCount[]): RulePreview['openings'] {
  const rules = new CountRules([]);
  rules.setRules([rule]);
  const openings: RulePreview['openings'] = [];
  const open = (fulfilled: ReturnType<CountRules['count']>, atMs: number) => {
    for (const { anomaly } of fulfilled)
      openings.push({
        openedAt: isoTime(atMs),
        closedAt: null,
        sentence: toSentence(seriesOfRule(rule), { ...anomaly, matched: null }, { toMs: atMs, lead: null }),
      });
  };
  let bucketMs = counts[0]?.bucketMs ?? 0;
  for (const count of counts) {
    if (count.bucketMs > bucketMs) {
      open(rules.evaluateShares(), bucketMs);
      bucketMs = count.bucketMs;
      const [stepMs, last] = [Math.floor(bucketMs / STEP_MS) * STEP_MS, openings.at(-1)];
      if (rules.advance(stepMs).length > 0 && last) last.closedAt = isoTime(stepMs);
    }
    open(rules.count(toDelta(rule, count)), bucketMs);
  }
  open(rules.evaluateShares(), bucketMs);
  return openings;
}

function toDelta({ type, source, field }: CountRule, counted: RuleCount): CountDelta {
  const { bucketMs, severity, count, matching } = counted;
  const delta = { type: type ?? '', severity, source, bucketMs, lastMs: bucketMs, count };
  return field ? { ...delta, fields: { [fieldKey(field)]: matching } } : delta;
}
