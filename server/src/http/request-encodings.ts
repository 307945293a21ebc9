import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ApiError } from '../platform/errors.ts';
import type { HttpApp } from './http-app.ts';

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Decompressions by content coding; zstd if this Node has it (22.15), which its types do not declare yet. */
const DECOMPRESSIONS: Record<string, Decompress> = {
  gzip: promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  ...('zstdDecompress' in zlib && {
    zstd: promisify(zlib.zstdDecompress as typeof zlib.gunzip),
  }),
};

/** Content codings of bodies, if bodies may be compressed. */
export const REQUEST_ENCODINGS = Object.keys(DECOMPRESSIONS);

/** Error of a body in a coding that the address does not accept. */
function unsupportedEncoding(taken: string[]): ApiError {
  const detail =
    taken.length === 0
      ? 'The body may not be compressed here.'
      : `The body may be encoded as ${taken.join(', ')}.`;
  return new ApiError('unsupported_encoding', detail, {
    headers: { 'accept-encoding': taken.length === 0 ? 'identity' : taken.join(', ') },
  });
}

/** Refuses every body in another coding, before it is read. */
export function refuseEncodings(app: HttpApp, taken: string[]): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'];
    done(encoding === undefined || taken.includes(encoding) ? null : unsupportedEncoding(taken), payload);
  });
}

/**
 * Decompresses a whole body. Nothing else decompresses one: a decoder that runs while its body arrives holds a window
 * of up to 16 MiB, however long the last byte is held back, and its output is as long as the sender likes unless it
 * is counted.
 * @param encoding one of `REQUEST_ENCODINGS`; undefined: it is not compressed
 * @throws ApiError `body_too_large` beyond `maxBytes`, before more than that is in memory; `malformed_json` if the
 * body is not in this coding
 */
export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const run = encoding === undefined ? undefined : DECOMPRESSIONS[encoding];
  if (!run) return body;
  try {
    return await run(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('body_too_large', 'The body is larger than this address accepts.');
    throw new ApiError('malformed_json', 'The body cannot be decompressed.');
  }
}

/**
 * Returns the beginning of a body in gzip, of which not much more is decompressed: for a body that names its sender.
 * @throws ApiError `malformed_json` if the body is not in this coding
 */
export async function gunzipStart(body: Buffer, length: number): Promise<Buffer> {
  const gunzip = zlib.createGunzip({ chunkSize: length });
  gunzip.end(body);
  try {
    // All of the body is there, so the first chunk is as long as it may be.
    const first = await gunzip[Symbol.asyncIterator]().next();
    return first.done ? Buffer.alloc(0) : first.value;
  } catch {
    throw new ApiError('malformed_json', 'The body cannot be decompressed.');
  } finally {
    gunzip.destroy();
  }
}
