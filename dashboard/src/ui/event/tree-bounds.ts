/** Number of entries of an object or array shown at a time. */
export const ENTRIES_STEP = 100;
/** Number of characters of a text shown before it is expanded. */
const MAX_TEXT_LENGTH = 300;
/** Maximum indented depth: values of deeper levels would have no room left. */
export const MAX_INDENTED_DEPTH = 10;

const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 20;

export type Container = unknown[] | Record<string, unknown>;

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

export function sizeOf(container: Container): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

/** Returns the first entries of an object or array, and the number of others. */
export function firstEntries(
  container: Container,
  limit: number,
): { entries: [key: string, value: unknown][]; left: number } {
  const all = Array.isArray(container);
  const keys = all ? null : Object.keys(container);
  const size = keys ? keys.length : (container as unknown[]).length;
  const entries = Array.from({ length: Math.min(limit, size) }, (_, index): [string, unknown] => {
    const key = keys?.[index] ?? String(index);
    return [key, (container as Record<string, unknown>)[key]];
  });
  return { entries, left: size - entries.length };
}

/** Returns true if a node is open at first: small nodes near the root are. */
export function startsOpen(container: Container, depth: number): boolean {
  return depth === 0 || (depth < OPEN_DEPTH && sizeOf(container) <= OPEN_ENTRIES);
}

/** Returns the beginning of a text, without cutting a character of two code units in half. */
export function cutText(text: string, limit = MAX_TEXT_LENGTH): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
