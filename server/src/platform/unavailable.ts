import { ApiError, type ErrorExtras } from './errors.ts';

/**
 * Makes every answer with status 503: the callers of this function are the causes, each with its own sentence.
 * @param detail reason for which the service cannot take the request now
 */
export function unavailable(detail: string, extras?: ErrorExtras): ApiError {
  return new ApiError('unavailable', detail, extras);
}
