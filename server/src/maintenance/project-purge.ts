import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '../database/database.ts';
import { removeHours } from '../events/counts/roll-hours.ts';
import { deleteEmptyOrganization } from '../tenancy/organizations/queries.ts';
import {
  deleteProject,
  deleteProjectData,
  listDeletedProjects,
  PROJECT_DATA_TABLES,
} from '../tenancy/projects/queries.ts';

/** Maximum rows of a chunk: a short transaction with little to write, so that no commit beside it waits long. */
const CHUNK_ROWS = 1_000;
/** The same for pieces of source maps, of up to 2 MiB each. */
const CHUNK_PIECES = 10;
/** Share of time in which the purge works: the log and the disk, which it would fill, are for those who wait. */
const SHARE = 1 / 5;
/** Maximum pause, however long a chunk had to wait for others. */
const MAX_REST_MS = 2_000;

/**
 * Deletes the data of deleted projects, with pauses. A project's row is deleted last, so that an interruption only
 * postpones the rest; an organization without members is deleted with it.
 */
export class ProjectPurge {
  readonly #pool: Pool;
  /** Chunks of a purge in progress. An empty table takes long to scan until it is vacuumed: once is enough. */
  #chunks: AsyncGenerator<void, void> | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Removes a chunk, and further ones for about `forMs`.
   * @param stopping ends it after the chunk in progress
   * @returns true if there is more to do
   */
  async run(forMs: number, stopping?: AbortSignal): Promise<boolean> {
    const chunks = this.#chunks ?? removeInChunks(this.#pool);
    // A purge that fails is over: the next call starts over.
    this.#chunks = null;
    const beganAt = performance.now();
    do {
      const startedAt = performance.now();
      const { done } = await chunks.next();
      if (done) return false;
      const tookMs = performance.now() - startedAt;
      await rest(Math.min(tookMs / SHARE - tookMs, MAX_REST_MS), stopping);
    } while (performance.now() - beganAt < forMs && !stopping?.aborted);
    this.#chunks = chunks;
    return true;
  }
}

async function rest(ms: number, stopping?: AbortSignal): Promise<void> {
  // A rest that is cut short rejects.
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}

/** Pauses after each chunk. */
async function* removeInChunks(pool: Pool): AsyncGenerator<void, void> {
  for (const project of await listDeletedProjects(pool)) {
    for (const table of PROJECT_DATA_TABLES) {
      const limit = table === 'source_map_pieces' ? CHUNK_PIECES : CHUNK_ROWS;
      let found: number;
      do {
        found = await deleteProjectData(pool, project, table, limit);
        // A table without data of the project is no chunk: most of them have none.
        if (found > 0) yield;
      } while (found === limit);
    }
    // After what they are copied from.
    while ((await removeHours(pool, project)) > 0) yield;
    await deleteProject(pool, project.id);
    await deleteEmptyOrganization(pool, project.organizationId);
  }
}
