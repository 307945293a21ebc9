import { invalidQuery } from './invalid-query.ts';
import { MAX_FILTER_VALUE_LENGTH } from './limits.ts';
import type { CorrelationPair, PayloadValue } from './reader.ts';

const CORRELATION = 'correlation.';
const PAYLOAD = 'payload.';
const MAX_FILTERS = 8;
/** As the keys of a correlation may have. */
const MAX_KEY_LENGTH = 256;
const MAX_DEPTH = 16;

/**
 * The filters whose names hold a key: `correlation.KEY`, `payload.PATH`, and `correlation` for any key. Key and path are
 * the whole rest of the name, so a key may hold dots; a name within a path may not.
 * @throws ApiError `validation_failed` for more than 8 of them, and for what is too long or given twice
 */
export function readValueFilters(query: Record<string, unknown>): {
  pairs: CorrelationPair[];
  paths: PayloadValue[];
} {
  const pairs: CorrelationPair[] = [];
  const paths: PayloadValue[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (name === 'correlation') pairs.push({ key: null, value: readValue(name, value) });
    else if (name.startsWith(CORRELATION))
      pairs.push({ key: readKey(name, name.slice(CORRELATION.length)), value: readValue(name, value) });
    else if (name.startsWith(PAYLOAD))
      paths.push({ path: readPath(name, name.slice(PAYLOAD.length)), value: readValue(name, value) });
    if (pairs.length + paths.length > MAX_FILTERS)
      throw invalidQuery(pointerTo(name), `is one of more than ${MAX_FILTERS} filters of values`);
  }
  return { pairs, paths };
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

/** RFC 6901; a part of the name is enough to find it. */
function pointerTo(name: string): string {
  return `/${name.slice(0, 64).replaceAll('\0', '').replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
