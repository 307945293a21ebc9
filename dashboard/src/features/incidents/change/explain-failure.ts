import { ApiError } from '../../../lib/api.ts';
import { texts } from '../texts.ts';

/** Explains to a user why a change of an incident failed. */
export function explainFailure(error: Error): string {
  if (error instanceof ApiError)
    return error.code === 'invalid_transition' ? texts.change.alreadyChanged : error.message;
  return texts.change.unreachable;
}
