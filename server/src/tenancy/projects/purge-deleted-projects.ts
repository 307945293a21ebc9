import type { Pool } from '../../database/database.ts';
import { deleteEmptyOrganization } from '../organizations/queries.ts';
import { deleteProject, deleteProjectData, listDeletedProjects, PROJECT_DATA_TABLES } from './queries.ts';

/** Of a chunk: a short transaction, so that no other statement waits long. */
const CHUNK_ROWS = 5_000;

/**
 * Deletes what deleted projects left behind, at most `maxChunks` chunks at a time. A project's row is deleted last, so
 * that an interruption only postpones the rest; with it goes an organization without members.
 * @returns whether there is more to do
 */
export async function purgeDeletedProjects(pool: Pool, maxChunks: number): Promise<boolean> {
  let chunks = 0;
  for (const project of await listDeletedProjects(pool)) {
    for (const table of PROJECT_DATA_TABLES) {
      let removed: number;
      do {
        if (chunks >= maxChunks) return true;
        removed = await deleteProjectData(pool, project, table, CHUNK_ROWS);
        // A table that holds nothing of the project is no chunk: else there would be more of them than a round may take.
        if (removed > 0) chunks++;
      } while (removed === CHUNK_ROWS);
    }
    await deleteProject(pool, project.id);
    await deleteEmptyOrganization(pool, project.organizationId);
  }
  return false;
}
