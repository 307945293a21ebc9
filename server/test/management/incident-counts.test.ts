import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countIncidents } from '../../src/incidents/queries.ts';
import { deleteProjectData } from '../../src/tenancy/projects/queries.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertTenant } from '../support/tenants.ts';
import { drawSeed } from '../support/test-seed.ts';

const { pool } = await createTestDatabase();

const STATUSES = ['open', 'investigating', 'resolved'] as const;
const PROJECTS = 3;

type Status = (typeof STATUSES)[number];

/** A change of the incidents of a project. */
interface Change {
  project: number;
  what: { insert: Status[] } | { from: Status; to: Status } | { purge: number };
}

const change: fc.Arbitrary<Change> = fc.record({
  project: fc.integer({ min: 0, max: PROJECTS - 1 }),
  what: fc.oneof(
    fc.record({ insert: fc.array(fc.constantFrom(...STATUSES), { maxLength: 8 }) }),
    fc.record({ from: fc.constantFrom(...STATUSES), to: fc.constantFrom(...STATUSES) }),
    fc.record({ purge: fc.integer({ min: 1, max: 5 }) }),
  ),
});

async function apply({ what }: Change, place: { organizationId: string; id: string }): Promise<void> {
  if ('insert' in what)
    await pool.query(
      `INSERT INTO incidents (id, organization_id, project_id, title, title_origin, severity, status, origin, created_at, updated_at)
        SELECT uuidv7(), $1, $2, 'It failed', 'person', 'error', status, 'manual', now(), now()
        FROM unnest($3::incident_status[]) AS status`,
      [place.organizationId, place.id, what.insert],
    );
  else if ('purge' in what) await deleteProjectData(pool, place, 'incidents', what.purge);
  else
    await pool.query(
      'UPDATE incidents SET status = $3 WHERE id = (SELECT id FROM incidents WHERE project_id = $1 AND status = $2 LIMIT 1)',
      [place.id, what.from, what.to],
    );
}

/** Counts incidents by reading all of them. */
async function countOneByOne(organizationId: string, projectId: string | null) {
  const { rows } = await pool.query<{ status: Status }>(
    'SELECT status FROM incidents WHERE organization_id = $1 AND ($2::uuid IS NULL OR project_id = $2)',
    [organizationId, projectId],
  );
  const of = (status: Status) => rows.filter((row) => row.status === status).length;
  return { open: of('open'), investigating: of('investigating'), resolved: of('resolved') };
}

describe('counts of incidents by status', () => {
  it('counts incidents by status correctly after any change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const { organizationId, projectIds } = await insertTenant(pool, PROJECTS);
        for (const one of changes) await apply(one, { organizationId, id: projectIds[one.project] ?? '' });
        for (const projectId of [null, ...projectIds])
          expect(await countIncidents(pool, organizationId, projectId)).toEqual(
            await countOneByOne(organizationId, projectId),
          );
      }),
      { numRuns: 30, seed: drawSeed() },
    );
  });

  it('leaves out the incidents of deleted projects', async () => {
    const { organizationId, projectIds } = await insertTenant(pool, PROJECTS);
    for (const [project, id] of projectIds.entries())
      await apply({ project, what: { insert: ['resolved', 'open'] } }, { organizationId, id });
    await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [projectIds[0]]);
    expect(await countIncidents(pool, organizationId, null)).toEqual({
      open: 2,
      investigating: 0,
      resolved: 2,
    });
  });
});
