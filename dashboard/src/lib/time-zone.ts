const STORAGE_KEY = 'tocsin.time-zone';

/** Time zone of all times on the pages: UTC if the user has chosen it; undefined: the browser's. */
export const TIME_ZONE = readZone();

function readZone(): 'UTC' | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'UTC' ? 'UTC' : undefined;
  } catch {
    // Storage is refused, or there is none, as in tests.
    return undefined;
  }
}

/** Changes the time zone and reloads the page, whose formatters are created once. */
export function switchZone(): void {
  localStorage.setItem(STORAGE_KEY, TIME_ZONE === 'UTC' ? 'local' : 'UTC');
  location.reload();
}
