import type { ServerResponse } from 'node:http';
import { unavailable } from '../platform/unavailable.ts';

/**
 * Aborted when the client has gone away before it was answered: long work without a recipient can end. Fastify's `request.signal`
 * is another one: it is aborted when the request closes, which a body that was read does at once (version 5.12 on
 * Node 20), and it is never aborted where the client had left before it was first asked for.
 */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(unavailable('The client has gone away.'));
  response.once('close', abort);
  // It may have gone while its session was checked: then there is no further event.
  if (response.closed) abort();
  return controller.signal;
}
