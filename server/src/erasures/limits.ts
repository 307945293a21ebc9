/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum unfinished erasures of an organization. */
export const MAX_UNFINISHED_ERASURES = 100;
/** Maximum length of a key and of a value, as of those in a correlation. */
export const MAX_ERASED_LENGTH = 256;
/** Minimum length of a value that is replaced in texts: shorter ones are parts of other words and numbers. */
export const MIN_TEXT_LENGTH = 4;
