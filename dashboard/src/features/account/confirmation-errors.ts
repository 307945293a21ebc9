import { ApiError } from '../../lib/api.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { toFormErrors } from '../../lib/form-errors.ts';

/** Of a password or a code the API says no more than that it is wrong: its sentence reads better than its word. */
export function toConfirmationErrors(error: Error): FormErrors {
  const names = ['password', 'code'];
  const errors = toFormErrors(error, names);
  if (!(error instanceof ApiError) || errors.fields.size === 0) return errors;
  return { ...errors, fields: new Map([...errors.fields.keys()].map((name) => [name, error.message])) };
}
