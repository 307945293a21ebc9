/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum events that a quota may allow. */
export const MAX_QUOTA = 1_000_000_000;
