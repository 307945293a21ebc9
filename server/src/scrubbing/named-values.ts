import type { JsonObject } from '../platform/json/json-object.ts';

/** Headers as Node.js has them in one list. */
const RAW_HEADERS = /^raw_?headers$/i;

/** True for the name of a list in which names and values take turns. */
export function isRawHeaders(name: string): boolean {
  return RAW_HEADERS.test(name);
}

/** Returns what names a value beside it: `{ name: 'password', value }`, and `{ Key: 'password', Value }` of AWS. */
export function labelOfField(name: string, object: JsonObject): unknown {
  if (name !== 'value' && name !== 'Value') return undefined;
  return object.name ?? object.key ?? object.Name ?? object.Key;
}

/**
 * Returns what names an element of a list: a header, or an option of a program.
 * @param isHeaders true if names and values take turns
 */
export function labelOfElement(list: readonly unknown[], index: number, isHeaders: boolean): unknown {
  const before = list[index - 1];
  const isNamed = isHeaders ? index % 2 === 1 : isOption(before, list[index]);
  return isNamed ? before : undefined;
}

/** True for a name and its value, as clients send headers. */
export function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** True if the first of two arguments of a program is an option, and the second may be its value. */
function isOption(option: unknown, value: unknown): boolean {
  if (typeof value !== 'string' || typeof option !== 'string') return false;
  return option.startsWith('--') && !value.startsWith('-');
}
