/** The events of a queue row, not validated; null if its text is no JSON array. */
export function readEvents(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
