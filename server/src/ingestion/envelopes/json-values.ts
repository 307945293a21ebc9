import { isObject, type JsonObject, toList } from '../../platform/json/json-object.ts';

/** A list, or the list in the field `values` of an object: both forms are in use. */
export function toValues(value: unknown): JsonObject[] {
  return toList(isObject(value) ? value.values : value).filter(isObject);
}

/** A text or a number as text; null for everything else and for the empty text. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number from 0 on, also as text; null for everything else. */
export function toCount(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
