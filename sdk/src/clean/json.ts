import { attempt, isObject, read } from './read.ts';
import { cleanText } from './text.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface JsonBounds {
  /** Maximum levels; a deeper object is replaced by a note. */
  maxDepth: number;
  maxCharacters: number;
}

/**
 * Converts any value to JSON that the server accepts, with notes in place of what has no JSON form: `[Circular]`,
 * `[Too deep]`, `[Unreadable]`, `[Function]`. Errors keep their name, message and stack; Maps, Sets and
 * BigInts their content; bytes are only named. Stops early if there is more than the limits allow.
 * @returns null if the JSON would certainly be longer than `maxCharacters`
 */
export function toJson(value: unknown, { maxDepth, maxCharacters }: JsonBounds): { json: Json } | null {
  const ancestors = new Set<object>();
  let charactersLeft = maxCharacters;

  try {
    return { json: convert(value, 1) };
  } catch (error) {
    if (error === TOO_LONG) return null;
    throw error;
  }

  function spend(characters: number): void {
    charactersLeft -= characters;
    if (charactersLeft < 0) throw TOO_LONG;
  }

  function convert(value: unknown, depth: number): Json {
    if (typeof value === 'string') {
      spend(value.length);
      return cleanText(value, Number.POSITIVE_INFINITY);
    }
    spend(1);
    if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint' || typeof value === 'symbol') return convert(String(value), depth);
    if (!isObject(value)) return '[Function]';
    if (ancestors.has(value)) return '[Circular]';
    if (depth > maxDepth) return '[Too deep]';

    ancestors.add(value);
    const json = convertObject(value, depth);
    ancestors.delete(value);
    return json;
  }

  function convertObject(value: object, depth: number): Json {
    const shape = attempt(() => shapeOf(value)) ?? { replacement: '[Unreadable]' };
    if ('replacement' in shape) return convert(shape.replacement, depth + 1);
    if ('items' in shape) {
      const list: Json[] = [];
      for (let index = 0; index < shape.length; index++) {
        list.push(convert(readOrNote(shape.items, index), depth + 1));
      }
      return list;
    }
    const entries: [string, Json][] = [];
    for (const key of shape.keys) {
      const field = readOrNote(shape.fields, key);
      if (field === undefined) continue;
      spend(key.length);
      entries.push([cleanText(key, Number.POSITIVE_INFINITY), convert(field, depth + 1)]);
    }
    // Unlike an assignment, this makes `__proto__` an ordinary key.
    return Object.fromEntries(entries);
  }
}

const TOO_LONG = Symbol('too long');

type Shape =
  | { replacement: unknown }
  | { items: object; length: number }
  | { fields: object; keys: readonly string[] };

/** Properties of errors that are sent; others may be requests with credentials, which clients of other services attach. */
const ERROR_KEYS = ['name', 'message', 'code', 'stack', 'cause'];

function shapeOf(value: object): Shape {
  if (Array.isArray(value)) return { items: value, length: value.length };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return { replacement: `[${value.constructor.name}, ${value.byteLength} bytes]` };
  }
  if (value instanceof Error) return { fields: value, keys: ERROR_KEYS };
  if (value instanceof Set) return { items: [...value], length: value.size };
  if (value instanceof Map) {
    const fields = Object.fromEntries([...value].map(([key, item]) => [String(key), item]));
    return { fields, keys: Object.keys(fields) };
  }
  const toJSON = read(value, 'toJSON');
  if (typeof toJSON === 'function') return { replacement: toJSON.call(value) };
  return { fields: value, keys: Object.keys(value) };
}

function readOrNote(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch {
    return '[Unreadable]';
  }
}
