/*
 * The words that the detector shares with its context. The service's schemas describe the same shapes for its API;
 * the compiler compares both wherever one is passed for the other.
 */

/** Severities from the mildest to the worst. */
export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isErrorOrWorse(severity: Severity): boolean {
  return severity === 'error' || severity === 'critical';
}

/** Series that counts belong to; a field that is null is any. */
export interface RiskSeries {
  /**
   * `events`: those of one type, severity and source. `total`: all of the project. `errors`: all of severity error or
   * worse. `other`: those beyond the maximum number of series. `failed_payments`: out of all payments. `new_kind`:
   * errors never seen before. `rule`: events that match one of the project's own rules.
   */
  kind: 'events' | 'total' | 'errors' | 'other' | 'failed_payments' | 'new_kind' | 'rule';
  type: string | null;
  severity: Severity | null;
  source: string | null;
  fingerprint: string | null;
  /** Condition of a rule on the payload; missing: it has none. */
  field?: FieldCondition;
}

/** Rule by which an alarm opened. */
export type RiskRule =
  | 'rise'
  | 'drop'
  | 'silence'
  | 'failed_payments'
  | 'error_share'
  | 'at_least'
  | 'above_share'
  | 'new_kind';

/** Reason for which unusual counts opened nothing. */
export type Suppression =
  | 'small_effect'
  | 'hour_of_week'
  | 'recovery'
  | 'fewer_errors'
  | 'new_kinds_are_usual';

/** Condition on a scalar of the payload. */
export interface FieldCondition {
  /** Keys of objects, from the payload to the value. */
  path: string[];
  operator: 'equals' | 'not' | 'greater' | 'less' | 'exists';
  /** Null for `exists` alone. */
  value: string | number | boolean | null;
}

/** Rule "at least so many matching events in so many minutes", or "more than this share of the events". */
export interface CountRule {
  /** Null: its conditions are its name. */
  name: string | null;
  /** Null: every type. */
  type: string | null;
  /** Severity that an event has, not the least one; null: every severity. */
  severity: Severity | null;
  /** Null: every source. */
  source: string | null;
  /** Null: whatever the payload is. */
  field: FieldCondition | null;
  /** Percentage of the events of the type and source that must be exceeded; null: the events alone count. */
  percent: number | null;
  /** Minimum matching events; of a share, minimum events of the type and source. */
  events: number;
  minutes: number;
}

export interface RiskSettings {
  /** False incidents a week that are acceptable. */
  budget: number;
  rules: CountRule[];
  /** True if an error of a kind never seen before opens an incident, after a day of history. */
  newKinds: boolean;
}

export const DEFAULT_SETTINGS: RiskSettings = {
  budget: 1,
  rules: [
    {
      name: null,
      type: null,
      severity: 'critical',
      source: null,
      field: null,
      percent: null,
      events: 1,
      minutes: 1,
    },
  ],
  newKinds: true,
};
