import type { IncomingMessage } from 'node:http';

/** Whether a request has exactly one Host header; HTTP/1.0 also allows none. */
export function hasSingleHostHeader(request: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && request.httpVersion === '1.0');
}
