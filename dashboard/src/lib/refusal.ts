import { ApiError } from './api.ts';

/** Why what somebody entered was not taken: beside its fields, and as a whole. */
export interface Refusal {
  /** Sentences by the name of the field. */
  fields: ReadonlyMap<string, string>;
  /** What belongs to no field. */
  message: string | null;
}

/** A refusal that was found before anything was sent; null where there is none. */
export function refuseFields(complaints: Record<string, string | undefined>): Refusal | null {
  const fields = new Map(Object.entries(complaints).filter((entry): entry is [string, string] => !!entry[1]));
  return fields.size > 0 ? { fields, message: null } : null;
}

/** Puts an error of the API beside those fields that the form has; what is about others goes above the form. */
export function readRefusal(error: Error, names: readonly string[]): Refusal {
  const complaints = error instanceof ApiError ? [...error.fields] : [];
  const fields = new Map(
    complaints
      .filter(([name]) => names.includes(name))
      .map(([name, message]): [string, string] => [name, toSentence(message)]),
  );
  return { fields, message: fields.size > 0 ? null : error.message };
}

/** The API's complaints begin in lower case and have no end: they are made to follow the name of a field. */
function toSentence(complaint: string): string {
  const text = complaint.replace('must NOT', 'must not');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
