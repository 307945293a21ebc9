/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

export const MAX_NOTE_LENGTH = 10_000;

/** How long a resolution can be undone. */
export const UNDO_MS = 10 * 60_000;
