import { ApiError } from '../../platform/errors.ts';
import type { Refusal } from '../../platform/keyed-queue.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { INTAKE_ERRORS } from './errors.ts';

const RETRY_AFTER_SECONDS = 1;

/** @param detail sentence for every project, if its share is not the reason */
export function refusePlace(refusal: Refusal, detail: string): ApiError {
  const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (refusal !== 'over share') return unavailable(detail, retry);
  return new ApiError(
    INTAKE_ERRORS.project_over_share,
    'The project has used its half of all waiting places.',
    retry,
  );
}
