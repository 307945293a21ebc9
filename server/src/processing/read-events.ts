/** The events of a queue row, or null where its text is no JSON array. What they hold was not looked at. */
export function readEvents(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
