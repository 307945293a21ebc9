import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  DAYS,
  EVENT_COLUMNS,
  eventLines,
  GROUP_COLUMNS,
  groupLines,
  type Place,
  releasesOf,
  type SkewedSize,
} from './skewed-data.ts';

/*
 * Many projects, groups, events and incidents, written straight into the tables by COPY: through ingestion it would take
 * hours. Counts are those of the events; their copies by the hour are made by the service itself, which runs meanwhile.
 */

export interface SkewedData extends SkewedSize {
  places: readonly Place[];
  userId: string;
  nowMs: number;
}

/** Incident whose groups are read, with about all errors of the last hour. */
export const INCIDENT_ID = '01900000-0000-7000-8000-000000000001';
const OPEN_INCIDENTS = 200;
const INVESTIGATED_INCIDENTS = 100;

/** Minutes of groups are kept for so long. */
const MINUTES_DAYS = 2;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday. */
const MONDAY_MS = 4 * DAY_MS;
/** Lines are joined for the driver. */
const LINES_OF_CHUNK = 1_000;

/** @param say takes what is done, in words */
export async function seedSkewed(
  client: Client,
  skewed: SkewedData,
  say: (line: string) => void,
): Promise<void> {
  const tables = ['events', 'groups', 'group_texts'];
  const indexes = await dropIndexes(client, tables);
  say('groups');
  await insertGroups(client, skewed);
  say('events');
  await createPartitions(client, skewed.nowMs);
  await copy(client, `events (${EVENT_COLUMNS})`, eventLines(skewed, skewed.places, skewed.nowMs));
  for (const index of indexes) {
    say(index);
    await client.query(index);
  }
  say('counts');
  await client.query('ANALYZE events');
  await insertGroupCounts(client, skewed);
  say('incidents');
  await insertIncidents(client, skewed);
  await insertCounts(client, skewed);
  say('copies of counts by the hour');
  await waitForHours(client);
  say('vacuum');
  await client.query('VACUUM ANALYZE');
}

/** Indexes are built at the end: that is far cheaper than keeping them. @returns the statements that make them again */
async function dropIndexes(client: Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = ANY ($1) AND indexname NOT LIKE '%_pkey'`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

/** Creates the partitions of weeks that the service has not made: under the names and between the bounds that it would give them. */
async function createPartitions(client: Client, nowMs: number): Promise<void> {
  const week = (ms: number) => Math.floor((ms - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS;
  for (let ms = week(nowMs - DAYS * DAY_MS); ms <= nowMs; ms += WEEK_MS)
    await client.query(
      `CREATE TABLE IF NOT EXISTS events_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}
        PARTITION OF events FOR VALUES FROM ('${idAt(ms)}') TO ('${idAt(ms + WEEK_MS)}')`,
    );
}

function copy(client: Client, target: string, lines: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(chunksOf(lines)), client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < LINES_OF_CHUNK) continue;
    yield chunk.join('');
    chunk = [];
  }
  yield chunk.join('');
}

async function insertGroups(client: Client, skewed: SkewedData): Promise<void> {
  const now = new Date(skewed.nowMs);
  await copy(client, `groups (${GROUP_COLUMNS})`, groupLines(skewed, skewed.places, skewed));
  await client.query(
    'INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number) SELECT project_id, fingerprint, id, number FROM groups',
  );
  await client.query(
    'INSERT INTO group_releases (project_id, release, group_id) SELECT project_id, last_release, id FROM groups',
  );
  await client.query(
    `INSERT INTO group_numbers SELECT project_id, max(number), $1, 0, 0, 0, 0 FROM groups GROUP BY project_id`,
    [now],
  );
  await client.query(
    `INSERT INTO group_history (id, organization_id, project_id, group_id, before, after, created_at)
      SELECT gen_random_uuid(), organization_id, project_id, id, '{"state":"open"}', '{"state":"resolved"}', $1
      FROM (SELECT * FROM groups ORDER BY id LIMIT 1) AS first CROSS JOIN generate_series(1, 500)`,
    [now],
  );
  for (const { version, age } of releasesOf())
    await client.query(
      `INSERT INTO releases (project_id, version, first_seen, last_seen, events, errors, new_groups, users)
        SELECT id, $1, $2::timestamptz - $3 * interval '12 hours', $2, 1000, 100, 10, 2 FROM projects`,
      [version, now, age],
    );
}

/** By one transaction: the service copies hours from the first one on that it finds. */
async function insertCounts(client: Client, { nowMs }: SkewedData): Promise<void> {
  await client.query('BEGIN');
  for (let day = DAYS; day >= 0; day--)
    await client.query(
      `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count)
        SELECT organization_id, project_id, minute, severity, type, source, count(*) FROM (
          SELECT *, date_trunc('minute', uuid_extract_timestamp(id)) AS minute FROM events
          WHERE id >= $1 AND id < $2
        ) AS captured GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY minute`,
      [idAt(wholeDay(nowMs) - day * DAY_MS), idAt(wholeDay(nowMs) - (day - 1) * DAY_MS)],
    );
  await client.query('COMMIT');
}

async function insertGroupCounts(client: Client, { nowMs }: SkewedData): Promise<void> {
  const keptFromMs = Math.floor((nowMs - MINUTES_DAYS * DAY_MS) / 3_600_000) * 3_600_000;
  const countBy = (unit: 'minute' | 'hour', where: string) =>
    client.query(
      `INSERT INTO group_${unit}s (group_id, project_id, ${unit}, info, warn, error, critical)
      SELECT g.group_id, project_id, at, info, warn, error, critical FROM (
        SELECT project_id, fingerprint, date_trunc('${unit}', uuid_extract_timestamp(id)) AS at,
          ${['info', 'warn', 'error', 'critical'].map((severity) => `count(*) FILTER (WHERE severity = '${severity}') AS ${severity}`).join(', ')}
        FROM events WHERE ${where} GROUP BY 1, 2, 3
      ) AS counted JOIN group_fingerprints AS g USING (project_id, fingerprint) ORDER BY at`,
      [idAt(keptFromMs)],
    );
  await countBy('minute', 'id >= $1');
  await countBy('hour', 'id < $1');
}

async function insertIncidents(client: Client, { incidents, places, nowMs }: SkewedData): Promise<void> {
  const [first] = places;
  if (!first) throw new Error('There is no project.');
  const projects = places
    .filter(({ organizationId }) => organizationId === first.organizationId)
    .map(({ projectId }) => projectId);
  await client.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, title_origin, severity, status, origin, event_count, created_at,
        updated_at, resolved_at)
      SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000a' || lpad(to_hex(n), 15, '0'))::uuid,
        $1, ($2::uuid[])[1 + n % $3], 'Incident ' || n, 'person', (enum_range(NULL::severity))[2 + n % 3],
        CASE WHEN is_open THEN 'open' WHEN is_investigated THEN 'investigating' ELSE 'resolved' END::incident_status,
        'manual', n % 1000, at, at, CASE WHEN NOT is_open AND NOT is_investigated THEN at + interval '1 hour' END
      FROM (
        SELECT n, $4::timestamptz - (1 - n::float8 / $5) * interval '90 days' AS at,
          n % ($5 / least(${OPEN_INCIDENTS}, $5)) = 0 AS is_open,
          n % ($5 / least(${INVESTIGATED_INCIDENTS}, $5)) = 1 AS is_investigated
        FROM generate_series(1, $5::int) AS n
      ) AS made`,
    [first.organizationId, projects, projects.length, new Date(nowMs), incidents],
  );
  const from = new Date(nowMs - 3_600_000).toISOString();
  const evidence = {
    sentence: 'Errors have risen.',
    rule: 'rise',
    series: { kind: 'errors', type: null, severity: null, source: null, fingerprint: null },
    observed: 230,
    expected: 20,
    windowSeconds: 300,
    from,
    to: new Date(nowMs).toISOString(),
    falseAlarmsPerWeek: 0.1,
    exposure: null,
    escalation: null,
    group: null,
    release: null,
    alsoSeries: [],
    sampleEventIds: [],
    correlationIds: [],
  };
  await client.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, title_origin, severity, status, origin, event_count, evidence,
        created_at, updated_at)
      VALUES ($1, $2, $3, 'Errors', 'generated', 'error', 'open', 'risk', 230, $4, $5, $5)`,
    [INCIDENT_ID, first.organizationId, first.projectId, JSON.stringify(evidence), from],
  );
}

/** The service has copied all hours that are over. */
async function waitForHours(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ done: boolean }>(
      `SELECT coalesce(until, '-infinity') >= date_trunc('hour', now() - interval '30 minutes', 'UTC') AS done FROM rolled_hours`,
    );
    if (rows[0]?.done) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function wholeDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** The first id of a time. */
function idAt(ms: number): string {
  return `${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
}
