import { ApiError } from '../platform/errors.ts';

export function invalidQuery(pointer: string, message: string): ApiError {
  return new ApiError('validation_failed', `query${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
