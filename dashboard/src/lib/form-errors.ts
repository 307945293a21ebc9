import { ApiError } from './api.ts';

/** The errors of a form: messages beside its fields, and one above it. */
export interface FormErrors {
  /** Sentences by the name of the field. */
  fields: ReadonlyMap<string, string>;
  /** A message that belongs to no field. */
  message: string | null;
}

/** Errors found before anything is sent; null where there are none. */
export function toFieldErrors(messages: Record<string, string | undefined>): FormErrors | null {
  const fields = new Map(Object.entries(messages).filter((entry): entry is [string, string] => !!entry[1]));
  return fields.size > 0 ? { fields, message: null } : null;
}

/** An error of the API, beside the fields that the form has; one about other fields goes above the form. */
export function toFormErrors(error: Error, names: readonly string[]): FormErrors {
  const messages = error instanceof ApiError ? [...error.fields] : [];
  const fields = new Map(
    messages
      .filter(([name]) => names.includes(name))
      .map(([name, message]): [string, string] => [name, toSentence(message)]),
  );
  return { fields, message: fields.size > 0 ? null : error.message };
}

/** The API's messages follow the name of a field: lower case, without a full stop. */
function toSentence(message: string): string {
  const text = message.replace('must NOT', 'must not');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
