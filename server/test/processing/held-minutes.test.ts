import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { heldMinutes, toHeldRequest } from '../../src/events/counts/held-minutes.ts';
import { rollHours } from '../../src/events/counts/roll-hours.ts';
import { NO_EXCLUSIONS } from '../../src/events/exclusions.ts';
import type { EventConditions } from '../../src/events/read-types.ts';
import { newUuid, uuidLowerBound, uuidTime } from '../../src/platform/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { markLateHours } from '../support/late-hours.ts';

const { pool } = await createTestDatabase();

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** The copies go by the clock of the database. */
const nowMs = (await pool.query<{ now: Date }>('SELECT now() AS now')).rows[0]?.now.getTime() ?? 0;
const organizationId = newUuid(nowMs);
const projectIds = [newUuid(nowMs), newUuid(nowMs), newUuid(nowMs)];
const HOURS = 60;

beforeEach(async () => {
  await pool.query('TRUNCATE organizations, projects, event_counts, event_hours, stale_hours CASCADE');
  await pool.query('UPDATE rolled_hours SET until = NULL, groups_since = NULL');
  await pool.query(
    `INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Shop', 'free', now())`,
    [organizationId],
  );
  for (const [index, id] of projectIds.entries())
    await pool.query(
      `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at, deleted_at)
        VALUES ($1, $2, 'p', 'production', ($1::uuid)::text, now(), CASE WHEN $3 THEN now() END)`,
      [id, organizationId, index === projectIds.length - 1],
    );
});

interface StoredEvent {
  atMs: number;
  projectId: string;
  type: string;
  severity: 'info' | 'error' | 'critical';
  source: string | null;
}

const stored: fc.Arbitrary<StoredEvent> = fc.record({
  atMs: fc.integer({ min: nowMs - HOURS * HOUR_MS, max: nowMs }),
  projectId: fc.constantFrom(...projectIds),
  type: fc.constantFrom('order', 'payment', 'rare'),
  severity: fc.constantFrom('info', 'error', 'critical'),
  source: fc.constantFrom(null, 'api', 'worker'),
});

async function count(events: readonly StoredEvent[]): Promise<void> {
  for (const { atMs, projectId, type, severity, source } of events)
    await pool.query(
      `INSERT INTO event_counts AS c (organization_id, project_id, minute, severity, type, source, count)
        VALUES ($1, $2, $3, $4, $5, $6, 1)
        ON CONFLICT (organization_id, project_id, minute, severity, type, source, environment) DO UPDATE SET count = c.count + 1`,
      [organizationId, projectId, new Date(Math.floor(atMs / MINUTE_MS) * MINUTE_MS), severity, type, source],
    );
  await markLateHours(
    pool,
    organizationId,
    events.map(({ atMs, projectId }) => ({ projectId, minuteMs: atMs })),
  );
}

const ALL: EventConditions = { ...NO_CONDITIONS, afterMs: null, beforeMs: null };

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const asked = fc.record({
  conditions: fc.record({
    projectId: maybe(fc.constantFrom(...projectIds)),
    type: maybe(fc.constantFrom('order', 'rare', 'nothing')),
    severity: maybe(fc.constantFrom('info', 'critical')),
    source: maybe(fc.constantFrom('api', 'nothing')),
    afterMs: maybe(fc.integer({ min: nowMs - HOURS * HOUR_MS, max: nowMs })),
    beforeMs: maybe(fc.integer({ min: nowMs - HOURS * HOUR_MS, max: nowMs })),
    not: fc.constantFrom(NO_EXCLUSIONS, { ...NO_EXCLUSIONS, types: ['order'] }),
  }),
  cursorMs: maybe(fc.integer({ min: nowMs - HOURS * HOUR_MS, max: nowMs })),
  wanted: fc.integer({ min: 3, max: 40 }),
});
type ListRequest = typeof asked extends fc.Arbitrary<infer T> ? T : never;

function isListed(event: StoredEvent, { conditions, cursorMs }: ListRequest): boolean {
  const { projectId, type, severity, source, afterMs, beforeMs, not } = conditions;
  return (
    event.projectId !== projectIds.at(-1) &&
    (projectId === null || event.projectId === projectId) &&
    (type === null || event.type === type) &&
    (severity === null || event.severity === severity) &&
    (source === null || event.source === source) &&
    !not.types.includes(event.type) &&
    (afterMs === null || event.atMs > afterMs) &&
    event.atMs < Math.min(beforeMs ?? nowMs + 1, cursorMs ?? nowMs + 1)
  );
}

/** The events that a list finds in the minutes, and whether these reach back to the beginning. */
async function findHeld(events: readonly StoredEvent[], request: ListRequest) {
  const conditions = { ...ALL, ...request.conditions };
  const cursor = request.cursorMs === null ? null : uuidLowerBound(request.cursorMs);
  const wanted = { cursor, events: request.wanted };
  const held = await toHeldRequest(pool, organizationId, conditions, wanted);
  const values: unknown[] = [organizationId];
  const { rows } = await pool.query<{ firstId: string; endId: string; projectIds: string[] }>(
    `SELECT first_id AS "firstId", end_id AS "endId", project_ids AS "projectIds" FROM ${heldMinutes(conditions, held, values)}`,
    values,
  );
  const minutes = rows.map(({ firstId, endId, projectIds: ids }) => ({
    firstMs: uuidTime(firstId),
    endMs: uuidTime(endId),
    ids,
  }));
  return events.filter(
    (event) =>
      isListed(event, request) &&
      minutes.some(
        ({ firstMs, endMs, ids }) =>
          event.atMs >= firstMs && event.atMs < endMs && ids.includes(event.projectId),
      ),
  );
}

async function expectAllHeld(
  events: readonly StoredEvent[],
  requests: readonly ListRequest[],
): Promise<void> {
  for (const request of requests) {
    const matching = events.filter((event) => isListed(event, request));
    const found = await findHeld(events, request);
    // Two fewer than wanted: those of the first and the last minute may lie beside the range.
    if (found.length < Math.min(request.wanted - 2, matching.length))
      expect({ request, found: found.length }).toEqual({ request, found: matching.length });
    // Without a gap: the newest ones of all that match.
    const newestFirst = matching.toSorted((left, right) => right.atMs - left.atMs);
    const oldestMs = Math.min(...found.map(({ atMs }) => Math.floor(atMs / MINUTE_MS) * MINUTE_MS));
    expect(found.length).toBe(newestFirst.filter(({ atMs }) => atMs >= oldestMs).length);
  }
}

describe('the minutes that hold rare events', () => {
  it.each([1, 2, 3])('holds the newest of all events that match, with seed %i', async (seed) => {
    const [first, late] = [
      fc.sample(stored, { numRuns: 400, seed }),
      fc.sample(stored, { numRuns: 40, seed: seed + 100 }),
    ];
    const requests = fc.sample(asked, { numRuns: 120, seed });
    await count(first);
    await expectAllHeld(first, requests.slice(0, 20));
    await rollHours(pool, 30);
    await expectAllHeld(first, requests);
    await rollHours(pool, 1_000);
    await expectAllHeld(first, requests);
    await count(late);
    await expectAllHeld([...first, ...late], requests);
    await rollHours(pool, 1_000);
    await expectAllHeld([...first, ...late], requests);
  });
});
