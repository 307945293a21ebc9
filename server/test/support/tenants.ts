import type { Pool } from '../../src/database/database.ts';
import { newUuid } from '../../src/platform/ids.ts';

/** Stores an organization with projects, in a database without a service. UUIDs. */
export async function insertTenant(
  pool: Pool,
  projects: number,
): Promise<{ organizationId: string; projectIds: string[] }> {
  const organizationId = newUuid(1);
  const projectIds = Array.from({ length: projects }, () => newUuid(1));
  await pool.query(
    `WITH organization AS (
        INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Shop', 'free', now()) RETURNING id)
      INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at)
        SELECT project, organization.id, 'p', 'production', project::text, now() FROM organization, unnest($2::uuid[]) AS project`,
    [organizationId, projectIds],
  );
  return { organizationId, projectIds };
}
