import { ApiError } from '../../../lib/api.ts';

/** Why a change of an incident failed, for people. */
export function explainFailure(error: Error): string {
  if (error instanceof ApiError)
    return error.code === 'invalid_transition' ? 'Someone else already changed this.' : error.message;
  return 'Couldn’t reach the server, so nothing was changed. Try again once you’re back online.';
}
