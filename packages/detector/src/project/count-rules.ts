import { HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { UP } from '../state/side.ts';
import type { CountRule, RiskSeries } from '../types.ts';
import { keyOf } from './alarm-subject.ts';
import { type Anomaly, NO_DETAILS } from './anomaly.ts';
import type { CountDelta } from './count-delta.ts';

/** Maximum parts in which a window is counted, and their minimum length. */
const MAX_PARTS = 60;
const MIN_PART_MS = 5_000;
/** Time without fulfilment that closes an alarm, as for a rise of the counts. */
const QUIET_MS = HOUR_MS;

/** State of a rule; plain JSON. */
export interface CountedRule {
  rule: CountRule;
  /** Parts of its window: [beginning, events]. */
  counts: [number, number][];
  /** Time of the last fulfilment; null: it has no alarm. */
  fulfilledMs: number | null;
}

export interface FulfilledRule {
  rule: CountRule;
  anomaly: Anomaly;
}

/** Rules that people set for a project: at least so many matching events in so many minutes. */
export class CountRules {
  #rules: CountedRule[];

  constructor(saved: CountedRule[]) {
    this.#rules = saved;
  }

  /** Sets the rules, and forgets the counts of changed ones. @returns the rules that are gone */
  setRules(rules: CountRule[]): CountRule[] {
    const names = new Set(rules.map(ruleKey));
    const gone = this.#rules.map(({ rule }) => rule).filter((rule) => !names.has(ruleKey(rule)));
    this.#rules = rules.map(
      (rule) =>
        this.#rules.find((known) => ruleKey(known.rule) === ruleKey(rule)) ?? {
          rule,
          counts: [],
          fulfilledMs: null,
        },
    );
    return gone;
  }

  /** @returns the rules whose alarm begins with these events */
  count(delta: CountDelta): FulfilledRule[] {
    const begun: FulfilledRule[] = [];
    for (const counted of this.#rules) {
      const { rule } = counted;
      if (!matchesRule(rule, delta)) continue;
      const windowMs = rule.minutes * MINUTE_MS;
      const partMs = Math.max(MIN_PART_MS, windowMs / MAX_PARTS);
      const beginMs = Math.floor(delta.bucketMs / partMs) * partMs;
      const part = counted.counts.find(([partBeginMs]) => partBeginMs === beginMs);
      if (part) part[1] += delta.count;
      else {
        counted.counts = counted.counts.filter(([partBeginMs]) => partBeginMs > delta.bucketMs - windowMs);
        counted.counts.push([beginMs, delta.count]);
      }
      const observed = counted.counts.reduce((sum, [, count]) => sum + count, 0);
      if (observed < rule.events) continue;
      if (counted.fulfilledMs === null) begun.push({ rule, anomaly: anomalyOfRule(rule, observed, delta) });
      counted.fulfilledMs = Math.max(counted.fulfilledMs ?? 0, delta.bucketMs);
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

  /** Returns the rules with an open alarm that these events match. */
  openRulesMatching(delta: CountDelta): CountRule[] {
    return this.#rules
      .filter(({ rule, fulfilledMs }) => fulfilledMs !== null && matchesRule(rule, delta))
      .map(({ rule }) => rule);
  }

  /** Forgets the counts of a rule whose incident a person has resolved. */
  rearm(resolved: CountRule): void {
    const counted = this.#rules.find(({ rule }) => ruleKey(rule) === ruleKey(resolved));
    if (!counted) return;
    counted.counts = [];
    counted.fulfilledMs = null;
  }

  save(): CountedRule[] {
    return this.#rules;
  }
}

function ruleKey(rule: CountRule): string {
  return keyOf({ kind: 'rule', rule });
}

export function seriesOfRule({ type, severity, source }: CountRule): RiskSeries {
  return { kind: 'rule', type, severity, source, fingerprint: null };
}

type Dimensions = Pick<RiskSeries, 'type' | 'severity' | 'source'>;

/** True if events are among those that a rule, or a time, is about: null is any. */
export function matchesRule({ type, severity, source }: Dimensions, events: Dimensions): boolean {
  return (
    (type === null || type === events.type) &&
    (severity === null || severity === events.severity) &&
    (source === null || source === events.source)
  );
}

function anomalyOfRule(rule: CountRule, observed: number, { type, source }: CountDelta): Anomaly {
  return {
    ...NO_DETAILS,
    rule: 'at_least',
    side: UP,
    observed,
    expected: rule.events,
    windowMinutes: rule.minutes,
    matched: { type, source },
  };
}
