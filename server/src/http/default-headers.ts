/**
 * What every answer says unless it says otherwise: nothing of the API is for caches, and nothing is to be taken
 * for another type than it has. Files have a `Cache-Control` of their own.
 */
export const DEFAULT_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
