import type { Pool } from '../database/database.ts';
import { removeHours } from '../events/counts/roll-hours.ts';
import { deleteEventsOfProject } from '../events/remove/purge-queries.ts';
import { deleteEmptyOrganization } from '../tenancy/organizations/queries.ts';
import {
  deleteProject,
  deleteProjectData,
  listDeletedProjects,
  PROJECT_DATA_TABLES,
} from '../tenancy/projects/queries.ts';
import { PacedChunks } from './paced-chunks.ts';

/** Maximum rows of a chunk: a short transaction with little to write, so that no commit beside it waits long. */
const CHUNK_ROWS = 1_000;
/** The same for pieces of source maps, of up to 2 MiB each. */
const CHUNK_PIECES = 10;

/**
 * Deletes the data of deleted projects, with pauses. A project's row is deleted last, so that an interruption only
 * postpones the rest; an organization without members is deleted with it. Its chunks are kept from round to round: an
 * empty table takes long to scan until it is vacuumed, and once is enough.
 */
export class ProjectPurge extends PacedChunks {
  constructor(pool: Pool) {
    super(() => removeInChunks(pool));
  }
}

/** Pauses after each chunk. */
async function* removeInChunks(pool: Pool): AsyncGenerator<void, void> {
  for (const project of await listDeletedProjects(pool)) {
    // Events first: they are the bulk.
    yield* untilFewer(CHUNK_ROWS, () => deleteEventsOfProject(pool, project.id, CHUNK_ROWS));
    for (const table of PROJECT_DATA_TABLES) {
      const limit = table === 'source_map_pieces' ? CHUNK_PIECES : CHUNK_ROWS;
      yield* untilFewer(limit, () => deleteProjectData(pool, project, table, limit));
    }
    // After what they are copied from.
    while ((await removeHours(pool, project)) > 0) yield;
    await deleteProject(pool, project.id);
    await deleteEmptyOrganization(pool, project.organizationId);
  }
}

/** Removes chunks until one has fewer rows than the limit. A table without data of the project is no chunk: most of them have none. */
async function* untilFewer(limit: number, remove: () => Promise<number>): AsyncGenerator<void, void> {
  let found: number;
  do {
    found = await remove();
    if (found > 0) yield;
  } while (found === limit);
}
