import type pg from 'pg';

/** Derived tables of a service, compared with an independent count of raw rows. */
export interface DerivedTables {
  /** Hours that are copied. */
  copiedHours: number;
  /** Rows that are in one of both alone, as text with their table. */
  differences: string[];
}

/** Returns true once the service has copied all hours that are over. */
export async function hasCopies(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isDone: boolean }>(
    `SELECT until >= date_trunc('hour', now() - interval '30 minutes', 'UTC')
        AND NOT EXISTS (SELECT FROM stale_hours) AS "isDone" FROM rolled_hours`,
  );
  return rows[0]?.isDone === true;
}

/** Independent counts: events by the time of their id, since the first one that has a count. */
const RAW = `raw AS MATERIALIZED (
  SELECT organization_id, project_id, hour, severity, type, source, count(*) AS count
  FROM events, LATERAL (
    SELECT ('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint / 3600000 AS hour
  ) AS time
  WHERE hour >= (SELECT floor(extract(epoch FROM min(minute)) / 3600) FROM event_counts)
  GROUP BY 1, 2, 3, 4, 5, 6
), copied AS (
  SELECT raw.* FROM raw, rolled_hours WHERE hour < extract(epoch FROM until) / 3600
), counted AS (
  SELECT *, (extract(epoch FROM hour) / 3600)::bigint AS number, quarter_1 + quarter_2 + quarter_3 + quarter_4 AS count
  FROM event_hours
)`;

/** Pairs of queries that have the same rows: the derived table, and the raw rows. */
const PAIRS: Record<string, [derived: string, raw: string]> = {
  event_counts: [
    `SELECT project_id, (floor(extract(epoch FROM minute) / 3600))::bigint, severity, type, source, sum(count)
      FROM event_counts GROUP BY 1, 2, 3, 4, 5`,
    'SELECT project_id, hour, severity, type, source, count FROM raw',
  ],
  'event_hours of projects': [
    `SELECT project_id, number, severity, count FROM counted WHERE scope = 'project'`,
    'SELECT project_id, hour, severity, sum(count) FROM copied GROUP BY 1, 2, 3',
  ],
  'event_hours of series of projects': [
    `SELECT project_id, number, severity, type, source, count FROM counted WHERE scope = 'project_series'`,
    'SELECT project_id, hour, severity, type, source, count FROM copied',
  ],
  'event_hours of organizations': [
    `SELECT organization_id, number, severity, count FROM counted WHERE scope = 'organization'`,
    'SELECT organization_id, hour, severity, sum(count) FROM copied GROUP BY 1, 2, 3',
  ],
  'event_hours of series of organizations': [
    `SELECT organization_id, number, severity, type, source, count FROM counted WHERE scope = 'organization_series'`,
    'SELECT organization_id, hour, severity, type, source, sum(count) FROM copied GROUP BY 1, 2, 3, 4, 5',
  ],
  resolved_incidents: [
    'SELECT project_id, count FROM resolved_incidents WHERE count > 0',
    `SELECT project_id, count(*) FROM incidents WHERE status = 'resolved' GROUP BY 1`,
  ],
};

/** Compares derived tables with raw rows. */
export async function compareDerived(client: pg.Client): Promise<DerivedTables> {
  const differences: string[] = [];
  for (const [table, [derived, raw]] of Object.entries(PAIRS)) {
    const { rows } = await client.query<{ row: string }>(
      `WITH ${RAW} SELECT d::text AS row
        FROM ((${derived} EXCEPT ${raw}) UNION ALL (${raw} EXCEPT ${derived})) AS d`,
    );
    for (const { row } of rows) differences.push(`${table}: ${row}`);
  }
  const { rows } = await client.query<{ hours: number }>(
    'SELECT count(DISTINCT hour)::integer AS hours FROM event_hours',
  );
  return { differences, copiedHours: rows[0]?.hours ?? 0 };
}
