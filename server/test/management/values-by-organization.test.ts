import { expect, it } from 'vitest';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { countCorrelationKeys } from '../../src/events/pair-queries.ts';
import { countErasableEvents, listErasableEvents } from '../../src/events/remove/erasure-queries.ts';
import { toUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { uuidOf } from '../processing/support.ts';
import { explain, type PlanNode, rowsReadOf } from '../support/plans.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const VALUE = 'usr_of_many_organizations';
const DAY_MS = 24 * 60 * 60_000;

// A database of its own: what other files store decides which index the planner takes.
const service = await startTestService({ roles: ['management'] });
const { pool } = service.database;
const uuidOfOrganization = (user: TestUser) => toUuid('org', user.organizationId) ?? '';

/** Stores events now, one in `every` of them with the value. */
async function store(user: TestUser, projectId: string, count: number, every: number): Promise<void> {
  await pool.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id, fingerprint,
        correlation, payload)
      SELECT overlay(gen_random_uuid()::text PLACING left($1, 13) FROM 1 FOR 13)::uuid, $2, $3, now(), 'info', 't', 'm', 'c', 'f',
        jsonb_build_object('user_id', CASE WHEN n % $5 = 0 THEN $6 ELSE 'usr_' || n END), '{}'
      FROM generate_series(1, $4::int) AS n`,
    [
      uuidLowerBound(service.context.clock.now()),
      uuidOfOrganization(user),
      uuidOf(projectId),
      count,
      every,
      VALUE,
    ],
  );
}

it('finds the events of a value by an index that has those of its organization alone', async () => {
  const [user, stranger] = [await service.signUp(), await service.signUp('Eve')];
  const [own, theirs] = [await user.createProject(), await stranger.createProject()];
  await store(user, own.id, 500, 50);
  await store(stranger, theirs.id, 5_000, 1);
  await pool.query('ANALYZE events');

  const plans: PlanNode[] = [];
  const explaining = explain(pool, plans);
  const organizationId = uuidOfOrganization(user);
  const pair = { key: 'user_id', value: VALUE };
  const subject = { organizationId, projectIds: [uuidOf(own.id)], ...pair };
  const nowMs = service.context.clock.now();
  const range = { fromId: uuidLowerBound(nowMs - DAY_MS), beforeId: uuidLowerBound(nowMs + DAY_MS) };
  await listErasableEvents(explaining, subject, range, 1_000);
  await countErasableEvents(explaining, subject, 1_000);
  await countCorrelationKeys(
    explaining,
    organizationId,
    { ...NO_CONDITIONS, afterMs: null, beforeMs: null, pairs: [pair] },
    VALUE,
  );
  // The third decides by the newest events of the organization if the value is rare.
  expect(plans.map((plan) => rowsReadOf(plan, /^events/))).toEqual([10, 10, 500, 10]);
});
