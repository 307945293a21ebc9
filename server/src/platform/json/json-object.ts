export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object as it is, and an empty one for everything else. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a list as it is, and an empty one for everything else. */
export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
