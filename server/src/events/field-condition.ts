/*
 * A condition of a rule on a field of the payload, in SQL. Storing, the counts of incidents and the preview of a rule
 * evaluate it by this one expression.
 */

/** Columns of conditions in a `jsonb_to_recordset`. */
export const FIELD_COLUMNS = 'key text, path text[], operator text, value jsonb';

/** Keys of objects alone lead to a value: `->` by a text finds no element of a list. */
const valueOf = (payload: string) => `CASE cardinality(path) WHEN 1 THEN ${payload} -> path[1]
      WHEN 2 THEN ${payload} -> path[1] -> path[2] ELSE ${payload} -> path[1] -> path[2] -> path[3] END`;

/** Number in a text as far as it has the digits of one. */
const NUMBER = `CASE WHEN jsonb_typeof(v) = 'number' OR jsonb_typeof(v) = 'string' AND v #>> '{}' ~ '^-?\\d{1,15}(\\.\\d{1,15})?$'
        THEN (v #>> '{}')::numeric END`;
const IS_SCALAR = `jsonb_typeof(v) IN ('string', 'number', 'boolean')`;
const IS_EQUAL = `(v = value OR v #>> '{}' = value #>> '{}')`;

/**
 * SQL: a payload fulfils the condition in the columns `path`, `operator` and `value`.
 * @param payload column, whose name is none of these
 */
export const fulfilsField = (payload: string) => `(SELECT coalesce(CASE operator
      WHEN 'exists' THEN jsonb_typeof(v) <> 'null'
      WHEN 'equals' THEN ${IS_SCALAR} AND ${IS_EQUAL}
      WHEN 'not' THEN ${IS_SCALAR} AND NOT ${IS_EQUAL}
      WHEN 'greater' THEN ${NUMBER} > (value #>> '{}')::numeric
      WHEN 'less' THEN ${NUMBER} < (value #>> '{}')::numeric
    END, false) FROM (SELECT ${valueOf(payload)} AS v OFFSET 0) AS field)`;

/** SQL: a payload fulfils a condition, a JSON object. */
export const fulfilsCondition = (payload: string, condition: string) =>
  `(SELECT ${fulfilsField(payload)} FROM jsonb_to_record(${condition}) AS condition (${FIELD_COLUMNS}))`;
