import type { IncomingMessage } from 'node:http';
import { ApiError } from '../platform/errors.ts';

const CLOSE = { headers: { connection: 'close' } };

/**
 * Refuses requests that Node's parser accepts although nothing here can answer them as they were meant.
 * @throws ApiError `bad_request` for a request line without a version (HTTP/0.9), `http_version_not_supported` for
 * another version than 1.0 and 1.1, `not_implemented` for another transfer coding than chunked
 */
export function assertProtocol({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '0.9')
    throw new ApiError(
      'bad_request',
      'The first line of the request does not say its version of HTTP.',
      CLOSE,
    );
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new ApiError('http_version_not_supported', 'The request is neither HTTP/1.1 nor HTTP/1.0.', CLOSE);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw new ApiError('not_implemented', 'The only accepted transfer coding is chunked.', CLOSE);
}

/** True if a request has exactly one Host header; HTTP/1.0 also allows none. */
export function hasSingleHostHeader(request: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && request.httpVersion === '1.0');
}
