import { randomUUID } from 'node:crypto';
import type { Pool } from '../../src/database/database.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { upsertLiveness } from '../../src/queue/liveness-queries.ts';
import type { RiskPace } from '../../src/risk/risk-loop.ts';
import type { ApiClient } from '../support/client.ts';
import type { StillClock, TestClock } from '../support/clock.ts';
import type { TestService, TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

export interface Series {
  type?: string;
  source?: string | null;
  severity?: string;
}

/** Sends a number of events of a series in one request, which is one batch. */
export async function sendEvents(
  ingest: ApiClient,
  count: number,
  { type = 'checkout', source = 'shop', severity = 'ERROR' }: Series = {},
): Promise<void> {
  if (count === 0) return;
  const event = { type, severity, message: 'It failed', ...(source !== null && { source }) };
  const answer = await ingest.post(
    '/ingest/bulk',
    Array.from({ length: count }, () => event),
  );
  if (answer.status !== 202) throw new Error(`It was answered ${answer.status}.`);
}

export async function incidentsOf(user: TestUser, projectId: string) {
  return (await user.api.get(`/incidents?project_id=${projectId}`)).body;
}

/** Returns the incidents of a project, newest first, once their number and their counts are as given. */
export async function incidentsCounting(user: TestUser, projectId: string, counts: number[]) {
  return waitFor(`incidents of ${counts.join(' and ')} events`, async () => {
    const incidents = await incidentsOf(user, projectId);
    const found = incidents.map((incident: { eventCount: number }) => incident.eventCount);
    return JSON.stringify(found) === JSON.stringify(counts) && incidents;
  });
}

export async function decisionsOf(user: TestUser, projectId: string, outcome?: string) {
  const query = outcome ? `?outcome=${outcome}` : '';
  return (await user.api.get(`/projects/${projectId}/risk/decisions${query}`)).body;
}

/**
 * Resolves when nothing stands in the queue: how long a batch has waited there is measured by the database's clock, to
 * which an accelerated minute is nothing.
 */
export async function queueEmptied({ database }: TestService): Promise<void> {
  await waitFor('the queue to be empty', async () => {
    const { rowCount } = await database.pool.query('SELECT FROM queue LIMIT 1');
    return rowCount === 0;
  });
}

/** Pace for tests that let many minutes pass, one after the other, with a round of detection for each. */
export const QUICK_PACE: RiskPace = { intervalMs: 10, updateIntervalMs: 10, idleMs: 50 };

/** Interval shorter than an absence of ingestion. */
const PRESENT_EVERY_MS = 10_000;

/** Lets time pass for a service that accepts events meanwhile, with liveness reports as often as in production. */
export async function passTime(
  service: TestService,
  clock: TestClock | StillClock,
  ms: number,
): Promise<void> {
  const { pool, processId } = service.context;
  for (let passed = 0; passed < ms; passed += PRESENT_EVERY_MS) {
    clock.advance(Math.min(PRESENT_EVERY_MS, ms - passed));
    await upsertLiveness(pool, processId, new Date(clock.now()));
  }
}

interface History {
  projectId: string;
  series: { type: string; severity: string; source: string };
  nowMs: number;
  /** Events of each minute until now. */
  counts: number[];
  /** Number of inbox rows that the counts are divided into. */
  batches?: number;
}

/**
 * Puts the minutes until now into the stream to the detectors, as processing would have: a day of history without a
 * day's events.
 */
export async function insertHistory(
  { pool }: TestService['database'],
  { projectId, series, nowMs, counts, batches = 1 }: History,
): Promise<void> {
  const endMs = Math.floor(nowMs / 60_000) * 60_000;
  const uuid = toUuid('proj', projectId);
  const deltas = counts.flatMap((count, index) => {
    const bucketMs = endMs - (counts.length - index) * 60_000;
    return count === 0 ? [] : [{ projectId: uuid, ...series, bucketMs, count, lastMs: bucketMs + 2_000 }];
  });
  const size = Math.ceil(deltas.length / batches);
  await pool.query(
    `INSERT INTO intake_presence (process_id, since, until, told_at) VALUES ($1, $2, $3, '-infinity')`,
    [randomUUID(), new Date(endMs - counts.length * 60_000), new Date(nowMs)],
  );
  for (let first = 0; first < deltas.length; first += size)
    await insertInboxRow(pool, deltas.slice(first, first + size));
}

/** Puts counts and errors into the stream to the detectors as one row, as processing writes it. */
export async function insertInboxRow(
  pool: Pool,
  deltas: readonly { bucketMs: number }[],
  errors: readonly unknown[] = [],
): Promise<void> {
  const fromMs = deltas.reduce((first, { bucketMs }) => Math.min(first, bucketMs), Number.MAX_SAFE_INTEGER);
  await pool.query('INSERT INTO risk_inbox (deltas, errors, entries, from_ms) VALUES ($1, $2, $3, $4)', [
    JSON.stringify(deltas),
    JSON.stringify(errors),
    deltas.length + errors.length,
    fromMs,
  ]);
}

/** Resolves when the detectors have reached the time. */
export async function evaluatedUntil(service: TestService, timeMs: number): Promise<void> {
  await service.settled();
  await waitFor('the detectors to have reached the time', async () => {
    const { rows } = await service.database.pool.query<{ isPast: boolean }>(
      'SELECT time_ms >= $1 AS "isPast" FROM risk_progress',
      [Math.floor(timeMs / 60_000) * 60_000],
    );
    return rows[0]?.isPast === true;
  });
}
