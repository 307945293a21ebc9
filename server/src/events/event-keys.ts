/*
 * Events with a fingerprint or a correlation id. Their indexes contain a hash of it and of the organization in place
 * of the texts (`event_key`), which halves them; equal hashes are compared by the values themselves.
 */

/**
 * A condition on `events`: those of an organization with this value.
 * @param organization placeholder such as `$1`
 * @param value placeholder such as `$2`, or a column of a table before it
 */
export function hasKey(column: KeyColumn, organization: string, value: string): string {
  return `event_key(events.organization_id, events.${column}) = event_key(${organization}, ${value})
    AND ${compared(`events.organization_id = ${organization}`)} AND ${compared(`events.${column} = ${value}`)}`;
}

/**
 * The same for one of several values. The organization is still to be compared: by its own index it may be found at
 * less cost.
 */
export function hasOneOfKeys(column: KeyColumn, organization: string, values: readonly string[]): string {
  const [first, ...others] = values;
  // An index has the events of one key in the order of time.
  if (first !== undefined && others.length === 0) return hasKey(column, organization, first);
  const keys = values.map((value) => `event_key(${organization}, ${value})`);
  return `event_key(events.organization_id, events.${column}) = ANY (ARRAY[${keys.join(', ')}]::bigint[])
    AND ${compared(`events.${column} = ANY (ARRAY[${values.join(', ')}]::text[])`)} AND events.organization_id = ${organization}`;
}

type KeyColumn = 'fingerprint' | 'correlation_id';

/**
 * Wraps a condition in a form that the planner estimates as true for nearly all rows, as it is for those with the
 * hash. As plain conditions it would multiply their shares, expect too few events, and read and sort all of them
 * where a page needs the newest.
 */
export function compared(condition: string): string {
  return `nullif(${condition}, false) IS NOT NULL`;
}
