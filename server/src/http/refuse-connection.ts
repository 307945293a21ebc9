import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type HttpErrorCode, toProblem } from '../platform/errors.ts';
import { DEFAULT_HEADERS } from './http-app.ts';

/** How long a client may take to read its refusal before the connection is cut. */
const LINGER_MS = 2_000;

const DEFAULT_HEADER_LINES = Object.entries(DEFAULT_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Errors of Node's parser and its time limits, by their code. Everything else is not HTTP. */
const CODES: Record<string, { code: HttpErrorCode; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'body_too_large',
    detail: 'The extensions of a chunk are too long.',
  },
  HPE_INVALID_VERSION: {
    code: 'http_version_not_supported',
    detail: 'The request is neither HTTP/1.1 nor HTTP/1.0.',
  },
};

const refused = new WeakSet<Duplex>();

/** Answers data that is no HTTP request at all, for which there is no reply object, and closes the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  // The rest of the refused data: the answer is on its way.
  if (refused.has(socket) && error.code !== 'ECONNRESET') return;
  // Behind a part of another answer this one would be read as its continuation.
  if (!socket.writable || error.code === 'ECONNRESET' || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const { code, detail } = CODES[error.code ?? ''] ?? {
    code: 'bad_request',
    detail: 'The request is not well-formed HTTP.',
  };
  const problem = toProblem(new ApiError(code, detail), randomUUID());
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/problem+json\r\n` +
      `${DEFAULT_HEADER_LINES}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
