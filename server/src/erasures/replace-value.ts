import { MIN_TEXT_LENGTH } from './limits.ts';

export const ERASED = '[erased]';

/** A value within texts of others. */
export interface ErasedValue {
  value: string;
  /** Text that each text with the value contains; null: the value is too short to be replaced in texts. */
  inText: string | null;
  /** Text that each JSON with the value contains. */
  inJson: string;
  /** Returns a text with the value replaced where it is a word of its own. */
  replace: (text: string) => string;
}

const LETTER = String.raw`[\p{L}\p{N}]`;

export function toErasedValue(value: string): ErasedValue {
  const quoted = JSON.stringify(value);
  if (value.length < MIN_TEXT_LENGTH) return { value, inText: null, inJson: quoted, replace: (text) => text };
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const pattern = new RegExp(`(?<!${LETTER})${literal}(?!${LETTER})`, 'gu');
  const replace = (text: string) => text.replace(pattern, ERASED);
  return { value, inText: value, inJson: quoted.slice(1, -1), replace };
}

/** Fields of stored JSON that hold texts; all others are names of closed sets, ids and numbers. */
const TEXT_FIELDS = new Set(['sentence', 'message', 'title', 'url']);

/** Returns JSON with the value replaced in its texts, and where it is the correlation id of an event. */
export function replaceInJson<T>(json: T, erased: ErasedValue): T {
  // Nothing but texts change.
  return replaceField('', json, erased) as T;
}

function replaceField(name: string, json: unknown, erased: ErasedValue): unknown {
  if (typeof json === 'string') {
    if (name === 'correlationId') return json === erased.value ? ERASED : json;
    return TEXT_FIELDS.has(name) ? erased.replace(json) : json;
  }
  if (Array.isArray(json)) return json.map((each: unknown) => replaceField('', each, erased));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([field, each]) => [field, replaceField(field, each, erased)]),
  );
}

/** True if a dead letter has the value in its correlation, or cannot be read and contains it. */
export function isErasedLetter(event: string, key: string | null, value: string): boolean {
  const correlation = readCorrelation(event);
  if (correlation === null) return event.includes(JSON.stringify(value));
  return Object.entries(correlation).some(
    ([name, held]) => (key === null || name === key) && typeof held !== 'object' && String(held) === value,
  );
}

function readCorrelation(event: string): object | null {
  try {
    const { correlation } = JSON.parse(event) as { correlation?: unknown };
    return typeof correlation === 'object' ? correlation : null;
  } catch {
    return null;
  }
}
