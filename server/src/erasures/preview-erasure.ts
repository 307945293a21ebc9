import type { Static } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { countErasableEvents } from '../events/remove/erasure-queries.ts';
import { findProject, listProjects } from '../tenancy/projects/queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { countErasedLetters } from './erased-letters.ts';
import type { ErasurePreview, NewErasure } from './schema.ts';

const MAX_COUNTED = 20_000;

/** Counts what an erasure would delete. @throws ApiError `not_found`, `unavailable` */
export async function previewErasure(
  { pool, reads }: { pool: Pool; reads: ExpensiveReads },
  organizationId: string,
  { projectId = null, key = null, value }: NewErasure,
  signal: AbortSignal,
): Promise<Static<typeof ErasurePreview>> {
  const projects =
    projectId === null
      ? await listProjects(pool, organizationId)
      : [await requireProject(pool, organizationId, projectId, findProject)];
  const projectIds = projects.map(({ id }) => id);
  const read = { organizationId, signal, subject: 'the events of the value' };
  return reads.run(read, async (database) => {
    const subject = { organizationId, projectIds, key, value };
    const events = await countErasableEvents(database, subject, MAX_COUNTED + 1);
    return {
      events: Math.min(events, MAX_COUNTED),
      isExact: events <= MAX_COUNTED,
      deadLetters: await countErasedLetters(database, projectIds, { key, value }),
    };
  });
}
