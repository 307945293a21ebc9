const DEBUG_ID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

/** True for a UUID, with or without dashes, which a tool has written into a built file and its map. */
export function isDebugId(value: unknown): value is string {
  return typeof value === 'string' && DEBUG_ID.test(value);
}

/** Returns the form in which the database writes a UUID. */
export function toDebugId(text: string): string {
  const digits = text.toLowerCase().replaceAll('-', '');
  return [0, 8, 12, 16, 20].map((at, index, all) => digits.slice(at, all[index + 1])).join('-');
}
