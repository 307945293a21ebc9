import { ApiError, type ErrorExtras } from './errors.ts';

/**
 * Every answer with status 503 is made here: the callers of this function are the causes, each with its own sentence.
 * @param detail why the service cannot take the request now
 */
export function unavailable(detail: string, extras?: ErrorExtras): ApiError {
  return new ApiError('unavailable', detail, extras);
}
