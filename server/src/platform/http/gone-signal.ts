import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';

/** Aborted when the client has gone away before it was answered: long work for nobody can end. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort(new ApiError('unavailable', 'The client has gone away.')));
  return controller.signal;
}
