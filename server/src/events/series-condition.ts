import { fulfilsCondition } from './field-condition.ts';
import type { FieldCondition } from './field-schema.ts';
import type { Severity } from './severity.ts';

/**
 * A series of the detector. A null field matches any value; a null source of the kind `events` matches events without
 * one.
 */
export interface SeriesCondition {
  kind: string;
  type: string | null;
  severity: Severity | null;
  source: string | null;
  fingerprint: string | null;
  /** Condition on the payload; missing: there is none. */
  field?: FieldCondition;
}

/**
 * SQL of the severity as the detector counts it: a failed payment is an error, whatever severity it is stored with.
 * @param table name in the query
 */
export const evaluatedSeverity = (table: string) =>
  `CASE WHEN ${table}.failed_payment
  THEN greatest(${table}.severity, 'error') ELSE ${table}.severity END`;

/** SQL: an event of the table, with its payload, belongs to one of the series in the JSON array $n. */
export const isOfSeries = (place: string, table: string) => `EXISTS (
  SELECT FROM jsonb_to_recordset(${place}::jsonb) AS s (kind text, type text, severity severity, source text,
    fingerprint text, field jsonb)
  WHERE (s.type IS NULL OR s.type = ${table}.type) AND (s.fingerprint IS NULL OR s.fingerprint = ${table}.fingerprint)
    AND (s.severity IS NULL OR s.severity = ${evaluatedSeverity(table)})
    AND (s.kind NOT IN ('errors', 'failed_payments') OR ${evaluatedSeverity(table)} >= 'error')
    AND (s.source = ${table}.source OR s.source IS NULL AND (s.kind <> 'events' OR ${table}.source IS NULL))
    AND (s.field IS NULL OR ${fulfilsCondition(`${table}.payload`, 's.field')}))`;

/**
 * The conditions of a series that rows of `event_counts` can answer; they hold for all of its events, and may for
 * others.
 */
export function countedPartOf({ type, severity, source }: SeriesCondition): {
  type: string | null;
  severity: Severity | null;
  source: string | null;
} {
  // Any payment may have failed.
  const isPlain = type !== null && type !== 'payment';
  return { type, source, severity: isPlain ? severity : null };
}

/** True if these conditions hold for no other events. */
export function isPlainSeries({ kind, type, source, fingerprint }: SeriesCondition): boolean {
  return kind === 'events' && type !== null && type !== 'payment' && source !== null && fingerprint === null;
}
