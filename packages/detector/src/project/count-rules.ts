import { HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { UP } from '../state/side.ts';
import type { CountRule, RiskSeries } from '../types.ts';
import { keyOf } from './alarm-subject.ts';
import { type Anomaly, NO_DETAILS } from './anomaly.ts';
import { type CountDelta, fieldKey } from './count-delta.ts';

/** Maximum parts in which a window is counted, and their minimum length. */
const MAX_PARTS = 60;
const MIN_PART_MS = 5_000;
/** Time without fulfilment that closes an alarm, as for a rise of the counts. */
const QUIET_MS = HOUR_MS;

/** State of a rule; plain JSON. */
export interface CountedRule {
  rule: CountRule;
  /** Parts of its window: [beginning, matching events, all events of its type and source]. */
  parts: [number, number, number][];
  /** Time of the last fulfilment; null: it has no alarm. */
  fulfilledMs: number | null;
  /** Newest count since its share was evaluated; null: there is none. */
  countedMs: number | null;
}

export interface FulfilledRule {
  rule: CountRule;
  anomaly: Anomaly;
}

/** Matching events of a rule, and all of its type and source. */
interface RuleCount {
  matching: number;
  all: number;
}

/** Rules that people set for a project: at least so many matching events, or more than a share, in so many minutes. */
export class CountRules {
  #rules: CountedRule[];

  constructor(saved: CountedRule[]) {
    this.#rules = saved;
  }

  /**
   * Sets the rules, and forgets the counts of changed ones; another name is no change.
   * @returns the rules that are gone
   */
  setRules(rules: CountRule[]): CountRule[] {
    const keys = new Set(rules.map(ruleKey));
    const gone = this.#rules.map(({ rule }) => rule).filter((rule) => !keys.has(ruleKey(rule)));
    const former = new Map(this.#rules.map((counted) => [ruleKey(counted.rule), counted]));
    this.#rules = rules.map((rule) => {
      const { parts = [], fulfilledMs = null, countedMs = null } = former.get(ruleKey(rule)) ?? {};
      return { rule, parts, fulfilledMs, countedMs };
    });
    return gone;
  }

  /** @returns the rules whose alarm begins with these events; those of a share by `evaluateShares` */
  count(delta: CountDelta): FulfilledRule[] {
    const begun: FulfilledRule[] = [];
    for (const counted of this.#rules) {
      const { rule } = counted;
      if (!isCountedBy(rule, delta)) continue;
      const matching = countMatching(rule, delta);
      if (rule.percent !== null) {
        addToWindow(counted, delta.bucketMs, { matching, all: delta.count });
        counted.countedMs = Math.max(counted.countedMs ?? 0, delta.bucketMs);
      } else if (matching > 0) {
        addToWindow(counted, delta.bucketMs, { matching, all: matching });
        const observed = sumOf(counted).matching;
        const { type, source } = delta;
        if (observed >= rule.events && fulfil(counted, delta.bucketMs))
          begun.push({ rule, anomaly: anomalyOfRule(rule, observed, { type, source }) });
      }
    }
    return begun;
  }

  /**
   * Evaluates the shares whose counts have changed: only then have all counts of the same moment come.
   * @returns the rules whose alarm begins
   */
  evaluateShares(): FulfilledRule[] {
    const begun: FulfilledRule[] = [];
    for (const counted of this.#rules) {
      const { rule, countedMs } = counted;
      if (rule.percent === null || countedMs === null) continue;
      counted.countedMs = null;
      const count = sumOf(counted);
      const isAbove = count.all >= rule.events && 100 * count.matching > rule.percent * count.all;
      if (isAbove && fulfil(counted, countedMs))
        begun.push({ rule, anomaly: anomalyOfShareRule(rule, rule.percent, count) });
    }
    return begun;
  }

  /** @returns the rules whose alarm is over */
  advance(timeMs: number): CountRule[] {
    const over = this.#rules.filter(
      ({ fulfilledMs }) => fulfilledMs !== null && timeMs - fulfilledMs > QUIET_MS,
    );
    for (const counted of over) counted.fulfilledMs = null;
    return over.map(({ rule }) => rule);
  }

  /** Returns the rules with an open alarm that some of these events match, with their number. */
  openRulesMatching(delta: CountDelta): { rule: CountRule; events: number }[] {
    return this.#rules
      .filter(({ rule, fulfilledMs }) => fulfilledMs !== null && isCountedBy(rule, delta))
      .map(({ rule }) => ({ rule, events: countMatching(rule, delta) }))
      .filter(({ events }) => events > 0);
  }

  /** Forgets the counts of a rule whose incident a person has resolved. */
  rearm(resolved: CountRule): void {
    const counted = this.#rules.find(({ rule }) => ruleKey(rule) === ruleKey(resolved));
    if (!counted) return;
    counted.parts = [];
    counted.fulfilledMs = null;
    counted.countedMs = null;
  }

  save(): CountedRule[] {
    return this.#rules;
  }
}

function ruleKey(rule: CountRule): string {
  return keyOf({ kind: 'rule', rule });
}

export function seriesOfRule({ type, severity, source, field }: CountRule): RiskSeries {
  return { kind: 'rule', type, severity, source, fingerprint: null, ...(field && { field }) };
}

type Dimensions = Pick<RiskSeries, 'type' | 'severity' | 'source'>;

/** True if events are among those that a condition is about: null is any. */
export function matches({ type, severity, source }: Dimensions, events: Dimensions): boolean {
  return (
    (type === null || type === events.type) &&
    (severity === null || severity === events.severity) &&
    (source === null || source === events.source)
  );
}

/** True if a rule counts events: for a share, those of every severity. */
export function isCountedBy(rule: CountRule, events: Dimensions): boolean {
  return matches(rule.percent === null ? rule : { ...rule, severity: null }, events);
}

/** Returns how many of the counted events have the severity and the field of a rule. */
function countMatching({ severity, field }: CountRule, delta: CountDelta): number {
  if (severity !== null && severity !== delta.severity) return 0;
  return field ? (delta.fields?.[fieldKey(field)] ?? 0) : delta.count;
}

function addToWindow(counted: CountedRule, bucketMs: number, { matching, all }: RuleCount): void {
  const windowMs = counted.rule.minutes * MINUTE_MS;
  const partMs = Math.max(MIN_PART_MS, windowMs / MAX_PARTS);
  const beginMs = Math.floor(bucketMs / partMs) * partMs;
  const part = counted.parts.find(([partBeginMs]) => partBeginMs === beginMs);
  if (part) {
    part[1] += matching;
    part[2] += all;
  } else {
    counted.parts = counted.parts.filter(([partBeginMs]) => partBeginMs > bucketMs - windowMs);
    counted.parts.push([beginMs, matching, all]);
  }
}

function sumOf({ parts }: CountedRule): RuleCount {
  const sum: RuleCount = { matching: 0, all: 0 };
  for (const [, matching, all] of parts) {
    sum.matching += matching;
    sum.all += all;
  }
  return sum;
}

/** Records a fulfilment. @returns true if an alarm begins with it */
function fulfil(counted: CountedRule, atMs: number): boolean {
  const isFirst = counted.fulfilledMs === null;
  counted.fulfilledMs = Math.max(counted.fulfilledMs ?? 0, atMs);
  return isFirst;
}

function anomalyOfRule(rule: CountRule, observed: number, matched: Anomaly['matched']): Anomaly {
  return {
    ...NO_DETAILS,
    rule: 'at_least',
    side: UP,
    observed,
    expected: rule.events,
    windowMinutes: rule.minutes,
    matched,
    ...(rule.name !== null && { ruleName: rule.name }),
  };
}

function anomalyOfShareRule(rule: CountRule, percent: number, { matching, all }: RuleCount): Anomaly {
  return {
    ...anomalyOfRule(rule, (100 * matching) / all, null),
    rule: 'above_share',
    expected: percent,
    exposure: { events: all, failures: matching, usualShare: percent / 100, isInProportion: false },
  };
}
