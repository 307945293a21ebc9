import { expect, it } from 'vitest';
import { deleteEventsOfProject } from '../../src/events/remove/purge-queries.ts';
import { newUuid, toUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { deleteProjectData } from '../../src/tenancy/projects/queries.ts';
import { explain, type PlanNode, rowsReadOf } from '../support/plans.ts';
import { startTestService } from '../support/service.ts';

const ROWS = 20_000;
const WEEK_MS = 7 * 24 * 3_600_000;

it('reads only the rows that it deletes in a chunk of a purge, however many others there are', async () => {
  const service = await startTestService({ own: true, roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const { id } = await user.createProject();
  const project = { id: toUuid('proj', id) ?? '', organizationId: toUuid('org', user.organizationId) ?? '' };
  const others = Array.from({ length: 9 }, () => newUuid(0));
  const nowMs = service.context.clock.now();
  // Every tenth event of two weeks is of the project.
  for (const weekMs of [nowMs, nowMs - WEEK_MS])
    await pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id, fingerprint,
          correlation, payload)
        SELECT overlay(gen_random_uuid()::text PLACING left($1, 11) FROM 1 FOR 11)::uuid, $2, ($3::uuid[])[1 + n % 10],
          now(), 'info', 't', 'm', 'c', 'f', '{}', '{}'
        FROM generate_series(1, $4::int) AS n`,
      [uuidLowerBound(weekMs), project.organizationId, [project.id, ...others], ROWS / 2],
    );
  await pool.query(
    `INSERT INTO claims (project_id, key, job_id, created_at)
      SELECT ($1::uuid[])[1 + n % 10], n::text, gen_random_uuid(), now() FROM generate_series(1, $2::int) AS n`,
    [[project.id, ...others], ROWS],
  );
  await pool.query('ANALYZE events, claims');
  const plans: PlanNode[] = [];
  await deleteEventsOfProject(explain(pool, plans), project.id, 500);
  await deleteProjectData(explain(pool, plans), project, 'claims', 500);
  // Beside what finds them, which reads other rows where few are of another project.
  for (const { Plans = [] } of plans) {
    const [removal] = Plans.filter((part) => part['Node Type'] === 'ModifyTable');
    expect(removal && rowsReadOf(removal, /events|claims/)).toBe(500);
  }
  const { rows } = await pool.query(
    'SELECT project_id = $1 AS "isOwn", count(*) FROM events GROUP BY 1 ORDER BY 1',
    [project.id],
  );
  expect(rows).toEqual([
    { isOwn: false, count: ROWS * 0.9 },
    { isOwn: true, count: ROWS / 10 - 500 },
  ]);
});
