const STORAGE_KEY = 'tocsin.recent';
const MAX_RECENT = 5;

/** Returns the ids of the entries that were chosen last in this browser, newest first. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    // Storage is refused, or holds something else.
    return [];
  }
}

export function rememberRecent(id: string): void {
  try {
    const ids = [id, ...readRecent().filter((known) => known !== id)].slice(0, MAX_RECENT);
    localStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
  } catch {
    // Nothing is remembered where storage is refused.
  }
}
