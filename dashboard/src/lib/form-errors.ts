import { ApiError } from './api.ts';

/** Errors of a form: messages beside its fields, and one above it. */
export interface FormErrors {
  /** Sentences by the name of the field. */
  fields: ReadonlyMap<string, string>;
  /** Message that belongs to no field. */
  message: string | null;
}

/** Returns the errors found before a request; null if there are none. */
export function toFieldErrors(messages: Record<string, string | undefined>): FormErrors | null {
  const fields = new Map(Object.entries(messages).filter((entry): entry is [string, string] => !!entry[1]));
  return fields.size > 0 ? { fields, message: null } : null;
}

/** Converts an error of the API: messages stand beside the form's own fields, those of other fields above the form. */
export function toFormErrors(error: Error, names: readonly string[]): FormErrors {
  const messages = error instanceof ApiError ? [...error.fields] : [];
  const fields = new Map(
    messages
      .filter(([name]) => names.includes(name))
      .map(([name, message]): [string, string] => [name, toSentence(message)]),
  );
  return { fields, message: fields.size > 0 ? null : error.message };
}

/** Turns a message of the API, which continues a field's name in lower case, into a sentence. */
function toSentence(message: string): string {
  const text = message.replace('must NOT', 'must not');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
