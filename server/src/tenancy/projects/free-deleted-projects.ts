import type { Pool } from '../../database/database.ts';
import { deleteEmptyOrganization } from '../organizations/queries.ts';
import { deleteProject, deleteProjectData, listDeletedProjects, PROJECT_DATA_TABLES } from './queries.ts';

/** Small pieces: each is a short transaction that holds nobody up. */
const PIECE_ROWS = 5_000;

/**
 * Frees the space of projects that were deleted, at most `maxPieces` pieces at a time. A project's row goes
 * last, so that an interruption only postpones the rest; with it goes an organization that everybody has left.
 * @returns whether there is more to do
 */
export async function freeDeletedProjects(pool: Pool, maxPieces: number): Promise<boolean> {
  let pieces = 0;
  for (const project of await listDeletedProjects(pool)) {
    for (const table of PROJECT_DATA_TABLES) {
      let removed: number;
      do {
        if (pieces++ >= maxPieces) return true;
        removed = await deleteProjectData(pool, project, table, PIECE_ROWS);
      } while (removed === PIECE_ROWS);
    }
    await deleteProject(pool, project.id);
    await deleteEmptyOrganization(pool, project.organizationId);
  }
  return false;
}
