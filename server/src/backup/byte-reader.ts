import type { Readable } from 'node:stream';
import { BackupError } from './format.ts';

export interface ByteReader {
  /** Reads the next bytes, that many. @throws BackupError if there are fewer, or the stream is damaged */
  take: (length: number) => Promise<Buffer>;
  /** Returns true if nothing is left. */
  ended: () => Promise<boolean>;
}

/** Reads a gunzipped stream in pieces of wanted lengths; holds one piece and one chunk of the stream. */
export function readBytes(stream: Readable): ByteReader {
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  const readChunk = async (): Promise<Buffer | null> => {
    try {
      const { value, done } = await chunks.next();
      return done ? null : value;
    } catch (error) {
      throw toBackupError(error);
    }
  };
  return {
    take: async (length) => {
      const pieces: Buffer[] = [];
      let missing = length;
      while (missing > 0) {
        if (rest.length === 0) {
          const chunk = await readChunk();
          if (!chunk) throw cutOff();
          rest = chunk;
        }
        const piece = rest.subarray(0, missing);
        rest = rest.subarray(piece.length);
        pieces.push(piece);
        missing -= piece.length;
      }
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    },
    ended: async () => rest.length === 0 && (await readChunk()) === null,
  };
}

/** Describes errors of zlib; any other error (reading the file, an interruption) stays as it is. */
function toBackupError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return cutOff(error);
  if (!code.startsWith('Z_')) return error;
  return new BackupError('The backup is damaged: it cannot be decompressed.', { cause: error });
}

function cutOff(cause?: unknown): BackupError {
  return new BackupError('The backup is incomplete: it ends too early.', { cause });
}
