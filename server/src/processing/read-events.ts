/** Parses the events of a queue row, without validation; null if its text is not a JSON array. */
export function readEvents(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
