import type { FastifyRequest } from 'fastify';
import type { KeyOwner } from '../api-keys/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import type { KeyLookup } from './key-lookup.ts';
import type { KeyUsage } from './key-usage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key the request carries; set by the hook of the routes that need one. */
    keyOwner: KeyOwner | null;
  }
}

/** @throws ApiError `invalid_api_key` */
export async function authenticateKey(
  request: FastifyRequest,
  { keys, usage, clock }: { keys: KeyLookup; usage: KeyUsage; clock: Clock },
): Promise<void> {
  const header = request.headers['x-api-key'];
  const owner = typeof header === 'string' ? await keys.find(header) : null;
  if (!owner) {
    const detail =
      header === undefined ? 'Send the project’s API key in X-Api-Key.' : 'The API key is not valid.';
    throw new ApiError('invalid_api_key', detail);
  }
  usage.note(owner.keyId, clock.now());
  request.keyOwner = owner;
}

/** The project within a route that needs a key. */
export function projectOf(request: FastifyRequest): string {
  if (!request.keyOwner)
    throw new Error(`${request.method} ${request.url} reads a key without asking for one.`);
  return request.keyOwner.projectId;
}
