import { inTransaction, type Pool, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { lockProjectForCount } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { MAX_CHUNK_BYTES } from '../limits.ts';
import { ChunkedFile } from './chunked-file.ts';
import {
  deleteChunks,
  deleteSurplusMaps,
  findChunk,
  insertPiece,
  listChunkLengths,
  updateBundleUse,
  upsertBundle,
  upsertSourceMap,
} from './queries.ts';
import { type BundledMap, BundleError, readBundle } from './read-bundle.ts';

export interface BundleRequest {
  /** SHA-1 of the bundle. */
  checksum: string;
  /** SHA-1 of each chunk, in the order of the bundle. */
  chunks: string[];
  /** Ids of the projects that get its maps. */
  projects: string[];
}

export interface AssemblyDependencies {
  /** Pool for reading chunks, while a transaction of the other one writes. */
  pool: Pool;
  uploads: Store;
  /** Does a part of the work in turn with other uploads. */
  takeTurn: TakeTurn;
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
  { pool, uploads, takeTurn }: AssemblyDependencies,
  organizationId: string,
  { checksum, chunks, projects }: BundleRequest,
): Promise<Assembly> {
  const projectIds: string[] = [];
  for (const id of new Set(projects)) projectIds.push((await requireProject(pool, organizationId, id)).id);
  const sha1 = Buffer.from(checksum, 'hex');
  const pending: string[] = [];
  for (const projectId of projectIds) {
    const use = { projectId, checksum: sha1, now: new Date(uploads.clock.now()) };
    if (!(await updateBundleUse(pool, organizationId, use))) pending.push(projectId);
  }
  if (pending.length === 0) return { state: 'ok', missingChunks: [] };

  const checksums = chunks.map((chunk) => Buffer.from(chunk, 'hex'));
  const lengths = await listChunkLengths(pool, organizationId, checksums);
  const missingChunks = [...new Set(chunks)].filter((chunk) => !lengths.has(chunk));
  if (missingChunks.length > 0) return { state: 'not_found', missingChunks };
  const file = new ChunkedFile(
    chunks.map((chunk) => lengths.get(chunk) ?? 0),
    async (index) => {
      const chunk = await findChunk(pool, organizationId, checksums[index] ?? Buffer.alloc(0));
      if (!chunk)
        throw new BundleError('A chunk of the bundle was replaced while it was read: upload it again.');
      return chunk;
    },
  );
  try {
    const maps = await takeTurn(async () => {
      const read = await readBundle(file);
      if ((await file.sha1()) !== checksum)
        throw new BundleError('The bundle has another checksum than it should.');
      return read;
    });
    for (const projectId of pending)
      await storeMaps({ uploads, takeTurn }, organizationId, { projectId, sha1, maps });
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    // It is refused again: its chunks are of no use.
    await deleteChunks(pool, organizationId, checksums);
    return { state: 'error', missingChunks: [], detail: error.message };
  }
  await deleteChunks(pool, organizationId, checksums);
  return { state: 'ok', missingChunks: [] };
}

/**
 * Stores each map in a turn and a transaction of its own, none of which is long; the bundle counts from the last one
 * on.
 */
async function storeMaps(
  { uploads, takeTurn }: Pick<AssemblyDependencies, 'uploads' | 'takeTurn'>,
  organizationId: string,
  { projectId, sha1, maps }: { projectId: string; sha1: Buffer; maps: readonly BundledMap[] },
): Promise<void> {
  const write = (change: (transaction: Transaction) => Promise<void>) =>
    takeTurn(() =>
      inTransaction(uploads, async (transaction) => {
        const project = await lockProjectForCount(transaction, organizationId, projectId);
        if (!project) throw new ApiError('not_found', 'Project not found.');
        await change(transaction);
      }),
    );
  for (const { openPacked, ...map } of maps) {
    await write(async (transaction) => {
      const row = { ...map, projectId, usedAt: new Date(transaction.now()) };
      if (!(await upsertSourceMap(transaction, row))) return;
      let number = 0;
      for await (const piece of piecesOf(await openPacked()))
        await insertPiece(transaction, row, number++, piece);
    });
  }
  await write(async (transaction) => {
    const debugIds = maps.map(({ debugId }) => debugId);
    await upsertBundle(transaction, projectId, {
      checksum: sha1,
      debugIds,
      now: new Date(transaction.now()),
    });
    await deleteSurplusMaps(transaction, projectId);
  });
}

/** Cuts a stream into pieces of the length of a row. */
async function* piecesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    waiting.push(piece);
    bytes += piece.length;
    while (bytes >= MAX_CHUNK_BYTES) {
      const joined = Buffer.concat(waiting);
      yield joined.subarray(0, MAX_CHUNK_BYTES);
      waiting = [joined.subarray(MAX_CHUNK_BYTES)];
      bytes -= MAX_CHUNK_BYTES;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
