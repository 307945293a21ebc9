import { ApiError } from '../../lib/api.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { toFormErrors } from '../../lib/form-errors.ts';

/** Shows the sentence of the error beside the field: the field's own message is one word only. */
export function toConfirmationErrors(
  error: Error,
  names: readonly string[] = ['password', 'code'],
): FormErrors {
  const errors = toFormErrors(error, names);
  if (!(error instanceof ApiError) || errors.fields.size === 0) return errors;
  return { ...errors, fields: new Map([...errors.fields.keys()].map((name) => [name, error.message])) };
}
