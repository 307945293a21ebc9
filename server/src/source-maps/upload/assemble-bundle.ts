import type { Store } from '../../database/database.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { deleteChunks, listChunkLengths, updateBundleUse } from './queries.ts';
import { BundleError } from './read-bundle.ts';
import type { UploadSteps } from './upload-steps.ts';

export interface BundleRequest {
  /** SHA-1 of the bundle. */
  checksum: string;
  /** SHA-1 of each chunk, in the order of the bundle. */
  chunks: string[];
  /** Ids of the projects that get its maps. */
  projects: string[];
}

export interface AssemblyDependencies extends Store {
  /** Does a step in turn with other uploads. */
  takeTurn: TakeTurn;
  steps: Omit<UploadSteps, 'storeChunk'>;
}

export type TakeTurn = <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>;

export type Assembly =
  | { state: 'ok' | 'not_found'; missingChunks: string[] }
  | { state: 'error'; missingChunks: string[]; detail: string };

/**
 * Stores the source maps of a bundle in its projects once all of its chunks have arrived. A bundle that is stored
 * already needs none. After an error the same request goes on: the chunks and the stored maps are still there.
 * @throws ApiError `not_found` for a project, and the error of a turn
 */
export async function assembleBundle(
  dependencies: AssemblyDependencies,
  organizationId: string,
  { checksum, chunks, projects }: BundleRequest,
): Promise<Assembly> {
  const { pool, clock, takeTurn, steps } = dependencies;
  const projectIds: string[] = [];
  for (const id of new Set(projects)) projectIds.push((await requireProject(pool, organizationId, id)).id);
  const sha1 = Buffer.from(checksum, 'hex');
  const pending: string[] = [];
  for (const projectId of projectIds) {
    const use = { projectId, checksum: sha1, now: new Date(clock.now()) };
    if (!(await updateBundleUse(pool, organizationId, use))) pending.push(projectId);
  }
  if (pending.length === 0) return { state: 'ok', missingChunks: [] };

  const checksums = chunks.map((chunk) => Buffer.from(chunk, 'hex'));
  const lengths = await listChunkLengths(pool, organizationId, checksums);
  const missingChunks = [...new Set(chunks)].filter((chunk) => !lengths.has(chunk));
  if (missingChunks.length > 0) return { state: 'not_found', missingChunks };
  const stored = chunks.map((chunk) => ({ checksum: chunk, length: lengths.get(chunk) ?? 0 }));
  try {
    const bundle = { organizationId, checksum, chunks: stored };
    const maps = await takeTurn(() => steps.readBundle(bundle));
    const debugIds = maps.map(({ debugId }) => debugId);
    for (const projectId of pending) {
      const ofProject = () => ({ bundle, projectId, now: new Date(clock.now()) });
      for (const map of maps) await takeTurn(() => steps.storeMap({ ...ofProject(), map }));
      await takeTurn(() => steps.storeBundle({ ...ofProject(), debugIds }));
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    // It is refused again: its chunks are of no use.
    await deleteChunks(pool, organizationId, checksums);
    return { state: 'error', missingChunks: [], detail: error.message };
  }
  await deleteChunks(pool, organizationId, checksums);
  return { state: 'ok', missingChunks: [] };
}
