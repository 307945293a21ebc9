/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum length of names and titles, without the spaces around them. */
export const MAX_NAME_LENGTH = 200;
