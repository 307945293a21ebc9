import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { Pacer } from '../../platform/timing/pacer.ts';
import { lockProjectForCount, shareProject } from '../../tenancy/projects/lock-queries.ts';
import { MAX_PIECE_BYTES } from '../limits.ts';
import { ChunkedFile, slicesOf } from './chunked-file.ts';
import {
  type ChunkPart,
  deleteSurplusMaps,
  findChunkPart,
  insertPiece,
  upsertBundle,
  upsertChunk,
  upsertSourceMap,
} from './queries.ts';
import { type BundledMap, BundleError, readBundle } from './read-bundle.ts';
import { type ChunkForm, readChunk } from './read-chunk.ts';

const MIB_PER_SECOND = (1024 * 1024) / 1_000;
/** Maximum bytes of chunks, which are in no write-ahead log. */
const MAX_CHUNK_BYTES_PER_MS = 8 * MIB_PER_SECOND;
/**
 * Maximum bytes of maps. The next commit of an event flushes the log of them, and for each 16 MiB PostgreSQL may have to
 * make a new file, for which all commits wait some ten milliseconds.
 */
const MAX_MAP_BYTES_PER_MS = 4 * MIB_PER_SECOND;

/** A bundle of which all chunks have arrived. */
interface StoredBundle {
  organizationId: string;
  /** SHA-1 that the client states. */
  checksum: string;
  /** SHA-1 and length of each chunk, in the order of the bundle. */
  chunks: readonly { checksum: string; length: number }[];
}

interface BundleOfProject {
  bundle: StoredBundle;
  projectId: string;
  now: Date;
}

/** The parts of an upload that move its bytes; one runs at a time. All values can be passed to a thread. */
export interface UploadSteps {
  /** @throws ApiError `bad_request`, `body_too_large` */
  storeChunk: (form: ChunkForm) => Promise<void>;
  /** @throws BundleError */
  readBundle: (bundle: StoredBundle) => Promise<BundledMap[]>;
  /** @throws BundleError, ApiError `not_found` for the project */
  storeMap: (stored: BundleOfProject & { map: BundledMap }) => Promise<void>;
  /** The bundle counts as stored from then on. @throws ApiError `not_found` for the project */
  storeBundle: (stored: BundleOfProject & { debugIds: string[] }) => Promise<void>;
}

/** @param makePacer makes what rests after each chunk, and before each part of one that is read or stored */
export function createUploadSteps(
  pool: Pool,
  makePacer: () => Pick<Pacer, 'rest'> = () => new Pacer(),
): UploadSteps {
  return {
    storeChunk: async (form) => {
      const pacer = makePacer();
      const chunk = await readChunk(form);
      if (chunk) await upsertChunk(pool, form.organizationId, { ...chunk, now: form.now });
      await pacer.rest((chunk?.bytes.length ?? 0) / MAX_CHUNK_BYTES_PER_MS);
    },

    readBundle: async ({ organizationId, checksum, chunks }) => {
      const pacer = makePacer();
      const parts = cutChunks(chunks);
      const file = new ChunkedFile(
        parts.map(({ length }) => length),
        async (index) => {
          await pacer.rest();
          const part = parts[index];
          const bytes = part && (await findChunkPart(pool, organizationId, part));
          if (!bytes) throw replacedChunk();
          return bytes;
        },
      );
      const maps = await readBundle(file);
      if ((await file.sha1()) !== checksum)
        throw new BundleError('The bundle has another checksum than it should.');
      return maps;
    },

    // The project is locked at the end, so that nothing of it waits while the pieces are written.
    storeMap: ({ bundle: { organizationId, chunks }, projectId, map, now }) =>
      inPlainTransaction(pool, async (transaction) => {
        const pacer = makePacer();
        const { start, ...row } = {
          ...map,
          projectId,
          checksum: Buffer.from(map.checksum, 'hex'),
          usedAt: now,
        };
        const parts = cutChunks(chunks);
        const lengths = parts.map(({ length }) => length);
        if (await upsertSourceMap(transaction, row))
          for (const [number, slice] of slicesOf(lengths, start, start + map.packedBytes).entries()) {
            const length = slice.end - slice.start;
            await pacer.rest(length / MAX_MAP_BYTES_PER_MS);
            const part = parts[slice.index];
            const piece = part && { ...part, start: part.start + slice.start, length };
            if (!piece || !(await insertPiece(transaction, organizationId, { ...row, number }, piece)))
              throw replacedChunk();
          }
        if (!(await shareProject(transaction, organizationId, projectId))) throw deletedProject();
      }),

    storeBundle: ({ bundle: { organizationId, checksum }, projectId, debugIds, now }) =>
      inPlainTransaction(pool, async (transaction) => {
        if (!(await lockProjectForCount(transaction, organizationId, projectId))) throw deletedProject();
        await deleteSurplusMaps(transaction, projectId);
        await upsertBundle(transaction, projectId, { checksum: Buffer.from(checksum, 'hex'), debugIds, now });
      }),
  };
}

/** Cuts chunks into parts that a query reads or writes. */
function cutChunks(chunks: StoredBundle['chunks']): ChunkPart[] {
  return chunks.flatMap(({ checksum, length }) =>
    Array.from({ length: Math.ceil(length / MAX_PIECE_BYTES) }, (_, index) => {
      const start = index * MAX_PIECE_BYTES;
      const bytes = Buffer.from(checksum, 'hex');
      return { checksum: bytes, start, length: Math.min(MAX_PIECE_BYTES, length - start) };
    }),
  );
}

function replacedChunk(): BundleError {
  return new BundleError('A chunk of the bundle was replaced while it was read: upload it again.');
}

function deletedProject(): ApiError {
  return new ApiError('not_found', 'Project not found.');
}
