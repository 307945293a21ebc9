import { UP } from '../state/series-state.ts';
import type { CountRule, RiskSeries } from '../types.ts';
import type { Finding } from './anomaly.ts';
import type { CountDelta } from './count-delta.ts';

const MINUTE_MS = 60_000;
/** A window is counted in so many parts at most, none shorter than this. */
const PARTS = 60;
const SHORTEST_PART_MS = 5_000;
/** As long as a rise that the counts show is held. */
const QUIET_MS = 60 * MINUTE_MS;

/** What is remembered of a rule; plain JSON. */
export interface WatchedRule {
  rule: CountRule;
  /** Of its window, in parts: [beginning, events]. */
  counts: [number, number][];
  /** When it was fulfilled last; null: it has no alarm. */
  fulfilledMs: number | null;
}

interface Fulfilled {
  rule: CountRule;
  finding: Finding;
}

const NONE: Fulfilled[] = [];

/** The rules that people set for a project: at least so many matching events in so many minutes. */
export class RuleWatch {
  #rules: WatchedRule[];

  constructor(saved: WatchedRule[]) {
    this.#rules = saved;
  }

  /** What a changed rule has counted says nothing. @returns those that are gone */
  setRules(rules: CountRule[]): CountRule[] {
    const names = new Set(rules.map(nameOfRule));
    const gone = this.#rules.map(({ rule }) => rule).filter((rule) => !names.has(nameOfRule(rule)));
    this.#rules = rules.map(
      (rule) =>
        this.#rules.find((known) => nameOfRule(known.rule) === nameOfRule(rule)) ?? {
          rule,
          counts: [],
          fulfilledMs: null,
        },
    );
    return gone;
  }

  /** @returns the rules whose alarm begins with these events */
  count(delta: CountDelta): Fulfilled[] {
    let begun = NONE;
    for (const watched of this.#rules) {
      const { rule } = watched;
      if (!matchesRule(rule, delta)) continue;
      const windowMs = rule.minutes * MINUTE_MS;
      const partMs = Math.max(SHORTEST_PART_MS, windowMs / PARTS);
      const beginMs = Math.floor(delta.bucketMs / partMs) * partMs;
      const part = watched.counts.find(([partBeginMs]) => partBeginMs === beginMs);
      if (part) part[1] += delta.count;
      else {
        watched.counts = watched.counts.filter(([partBeginMs]) => partBeginMs > delta.bucketMs - windowMs);
        watched.counts.push([beginMs, delta.count]);
      }
      const observed = watched.counts.reduce((sum, [, count]) => sum + count, 0);
      if (observed < rule.events) continue;
      if (watched.fulfilledMs === null)
        begun = [...begun, { rule, finding: toFinding(rule, observed, delta) }];
      watched.fulfilledMs = Math.max(watched.fulfilledMs ?? 0, delta.bucketMs);
    }
    return begun;
  }

  /** @returns the rules whose alarm is over */
  passTime(timeMs: number): CountRule[] {
    const over = this.#rules.filter(
      ({ fulfilledMs }) => fulfilledMs !== null && timeMs - fulfilledMs > QUIET_MS,
    );
    for (const watched of over) watched.fulfilledMs = null;
    return over.map(({ rule }) => rule);
  }

  /** Of the alarm's rules, those that these events match. */
  namesMatching(delta: CountDelta): string[] {
    return this.#rules
      .filter(({ rule, fulfilledMs }) => fulfilledMs !== null && matchesRule(rule, delta))
      .map(({ rule }) => nameOfRule(rule));
  }

  /** A person has resolved the incident: what was counted until then is over. */
  rearm(name: string): void {
    const watched = this.#rules.find(({ rule }) => nameOfRule(rule) === name);
    if (!watched) return;
    watched.counts = [];
    watched.fulfilledMs = null;
  }

  save(): WatchedRule[] {
    return this.#rules;
  }
}

export function nameOfRule({ type, severity, source, events, minutes }: CountRule): string {
  return `rule:${JSON.stringify([type, severity, source, events, minutes])}`;
}

export function seriesOfRule({ type, severity, source }: CountRule): RiskSeries {
  return { kind: 'rule', type, severity, source, fingerprint: null };
}

export function matchesRule({ type, severity, source }: CountRule, delta: CountDelta): boolean {
  return (
    (type === null || type === delta.type) &&
    (severity === null || severity === delta.severity) &&
    (source === null || source === delta.source)
  );
}

function toFinding(rule: CountRule, observed: number, { type, source }: CountDelta): Finding {
  return {
    rule: 'at_least',
    side: UP,
    observed,
    expected: rule.events,
    windowMinutes: rule.minutes,
    falseAlarmsPerWeek: null,
    strength: 1,
    usualMinutes: null,
    example: null,
    matched: { type, source },
  };
}
