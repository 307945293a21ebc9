import { createHash } from 'node:crypto';
import { decompress } from '../../http/request-encodings.ts';
import { ApiError } from '../../platform/errors.ts';
import { MAX_CHUNK_BYTES } from '../limits.ts';
import { readParts } from './read-parts.ts';

/** A form that has a chunk. */
export interface ChunkForm {
  organizationId: string;
  contentType: string;
  /** Body in the pieces in which it has arrived. */
  body: readonly Uint8Array[];
  now: Date;
}

interface Chunk {
  /** SHA-1. */
  checksum: Buffer;
  bytes: Buffer;
}

/** Maximum chunks of a form, each of which is written before another organization has its turn. */
export const MAX_FORM_CHUNKS = 1;

/**
 * Reads the chunk of a form; null: it has none.
 * @throws ApiError `bad_request`, `body_too_large`
 */
export async function readChunk({ body, contentType }: ChunkForm): Promise<Chunk | null> {
  const [part, ...others] = readParts(Buffer.concat(body), contentType);
  if (others.length >= MAX_FORM_CHUNKS)
    throw new ApiError('bad_request', 'The form has more than one chunk.');
  if (!part) return null;
  const { name, fileName, content } = part;
  if (name !== 'file' && name !== 'file_gzip')
    throw new ApiError('bad_request', 'A chunk is a file of the field file, or file_gzip.');
  const bytes = await decompress(content, name === 'file_gzip' ? 'gzip' : undefined, MAX_CHUNK_BYTES);
  if (bytes.length > MAX_CHUNK_BYTES) throw new ApiError('body_too_large', 'The chunk is too large.');
  const checksum = createHash('sha1').update(bytes).digest();
  if (checksum.toString('hex') !== fileName)
    throw new ApiError('bad_request', 'The name of a chunk must be the SHA-1 of its content.');
  return { checksum, bytes };
}
