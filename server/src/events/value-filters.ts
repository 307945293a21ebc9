import { invalidQuery } from './invalid-query.ts';
import { MAX_FILTER_VALUE_LENGTH } from './limits.ts';

/** A key and its value as a text; without a key any key may have it. */
export interface CorrelationPair {
  key: string | null;
  value: string;
}

export interface PayloadValue {
  /** Names of objects, or indexes of lists, on the way to it. */
  path: string[];
  /** Value as a text. */
  value: string;
}

const CORRELATION = 'correlation.';
const PAYLOAD = 'payload.';
const MAX_FILTERS = 8;
/** Maximum length of a key, as in a correlation. */
const MAX_KEY_LENGTH = 256;
const MAX_DEPTH = 16;

interface ValueFilters {
  pairs: CorrelationPair[];
  paths: PayloadValue[];
}

/**
 * Reads the filters whose names contain a key: `correlation.KEY`, `payload.PATH`, and `correlation` for any key. Key
 * and path are the whole rest of the name, so a key may contain dots; a name within a path may not. With a `!` at its
 * end the name says that an event must not have the value; only then it may be given more than once.
 * @throws ApiError `validation_failed` for more than 8 of them, and for values that are too long or given twice
 */
export function readValueFilters(query: Record<string, unknown>): ValueFilters & { not: ValueFilters } {
  const has: ValueFilters = { pairs: [], paths: [] };
  const not: ValueFilters = { pairs: [], paths: [] };
  for (const [name, value] of Object.entries(query)) {
    const excluded = name.endsWith('!');
    const filters = excluded ? not : has;
    const field = excluded ? name.slice(0, -1) : name;
    for (const each of excluded && Array.isArray(value) ? (value as unknown[]) : [value])
      if (field === 'correlation') filters.pairs.push({ key: null, value: readValue(name, each) });
      else if (field.startsWith(CORRELATION))
        filters.pairs.push({
          key: readKey(name, field.slice(CORRELATION.length)),
          value: readValue(name, each),
        });
      else if (field.startsWith(PAYLOAD))
        filters.paths.push({
          path: readPath(name, field.slice(PAYLOAD.length)),
          value: readValue(name, each),
        });
    if (lengthOf(has) + lengthOf(not) > MAX_FILTERS)
      throw invalidQuery(pointerTo(name), `is one of more than ${MAX_FILTERS} filters of values`);
  }
  return { ...has, not };
}

function lengthOf({ pairs, paths }: ValueFilters): number {
  return pairs.length + paths.length;
}

function readKey(name: string, key: string): string {
  if (key === '' || key.length > MAX_KEY_LENGTH || key.includes('\0'))
    throw invalidQuery(
      pointerTo(name),
      `must name a key of 1 to ${MAX_KEY_LENGTH} characters without NUL characters`,
    );
  return key;
}

function readPath(name: string, text: string): string[] {
  const path = readKey(name, text).split('.');
  if (path.includes('')) throw invalidQuery(pointerTo(name), 'must not hold an empty name');
  if (path.length > MAX_DEPTH) throw invalidQuery(pointerTo(name), `must have at most ${MAX_DEPTH} levels`);
  return path;
}

function readValue(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidQuery(pointerTo(name), 'must not be given twice');
  if (value.length > MAX_FILTER_VALUE_LENGTH)
    throw invalidQuery(pointerTo(name), `must have at most ${MAX_FILTER_VALUE_LENGTH} characters`);
  return value;
}

/** JSON pointer (RFC 6901); a part of the name is enough to find it. */
function pointerTo(name: string): string {
  return `/${name.slice(0, 64).replaceAll('\0', '').replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
