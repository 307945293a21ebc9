import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../platform/errors.ts';

/** A body in the pieces in which it has arrived: joining those of an upload would cost this process collections of garbage. */
export class BodyPieces {
  readonly pieces: Buffer[] = [];
  bytes = 0;
}

/** @throws ApiError `body_too_large` */
export async function readPieces(
  request: Pick<IncomingMessage, 'headers' | 'iterator'>,
  maxBytes: number,
): Promise<BodyPieces> {
  const body = new BodyPieces();
  const stated = Number(request.headers['content-length'] ?? 0);
  if (stated > maxBytes) throw tooLarge();
  // The rest of a body that is too large is read after the answer, and forgotten.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    body.pieces.push(piece as Buffer);
    body.bytes += (piece as Buffer).length;
    if (body.bytes > maxBytes) throw tooLarge();
  }
  return body;
}

function tooLarge(): ApiError {
  return new ApiError('body_too_large', 'The body is larger than this address accepts.');
}
