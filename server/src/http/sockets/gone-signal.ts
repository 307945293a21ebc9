import type { ServerResponse } from 'node:http';
import { unavailable } from '../../platform/unavailable.ts';

/**
 * Returns a signal that is aborted when the client has disconnected before the answer: long work without a recipient
 * can end. Fastify's `request.signal` differs: it is aborted when the request closes, which a body that was read does
 * at once (version 5.12 on Node 20), and it is never aborted if the client had left before its first use.
 */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(unavailable('The client has gone away.'));
  response.once('close', abort);
  // It may have left while its session was checked: then there is no further event.
  if (response.closed) abort();
  return controller.signal;
}
