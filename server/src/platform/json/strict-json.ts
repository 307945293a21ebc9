import { ApiError } from '../errors.ts';
import { hasMoreValues } from './json-bytes.ts';

/** Maximum depth: deeper JSON could be parsed, but serializing it overflows the stack. */
export const MAX_JSON_DEPTH = 64;

/**
 * Maximum objects, lists, texts, numbers and literals in one document: it bounds the cost of parsing and checking
 * them.
 */
export const MAX_JSON_VALUES = 50_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a body as JSON that the database can store: valid UTF-8, with a bounded number of values, at most 64 levels deep,
 * without non-finite numbers (`1e400`), NUL characters or lone surrogates.
 * @throws ApiError `malformed_json` or `validation_failed`
 */
export function parseStrictJson(body: Buffer, maxValues = MAX_JSON_VALUES): unknown {
  if (hasMoreValues(body, maxValues)) {
    throw new ApiError('validation_failed', `The body has more than ${maxValues} values.`);
  }
  const text = decodeUtf8(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body cannot be parsed as JSON.');
  }
  assertStorable(value);
  return value;
}

/** @throws ApiError `malformed_json` if the bytes are not UTF-8 */
function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/** @throws ApiError `validation_failed` for a parsed value that the database cannot store */
function assertStorable(value: unknown, depth = 1): void {
  if (typeof value === 'string') return assertText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ApiError('validation_failed', 'A number in the body is too large.');
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH) {
    throw new ApiError('validation_failed', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  if (Array.isArray(value)) {
    for (const item of value) assertStorable(item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    assertText(key);
    assertStorable((value as Record<string, unknown>)[key], depth + 1);
  }
}

function assertText(text: string): void {
  if (text.includes('\0'))
    throw new ApiError('validation_failed', 'A text in the body contains a NUL character.');
  if (!text.isWellFormed()) {
    throw new ApiError('validation_failed', 'A text in the body contains a lone surrogate.');
  }
}
