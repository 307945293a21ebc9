const STORAGE_KEY = 'tocsin.time-zone';

/** The zone of every time on the pages: UTC where the user has chosen it; undefined: the browser's own. */
export const TIME_ZONE = readZone();

function readZone(): 'UTC' | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'UTC' ? 'UTC' : undefined;
  } catch {
    // Storage is refused, or there is none, as in tests.
    return undefined;
  }
}

/** Changes the zone. The page is loaded again: its formatters are made once. */
export function switchZone(): void {
  localStorage.setItem(STORAGE_KEY, TIME_ZONE === 'UTC' ? 'local' : 'UTC');
  location.reload();
}
