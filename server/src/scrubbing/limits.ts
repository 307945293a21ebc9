/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum further names of a project. */
export const MAX_SECRET_NAMES = 50;
export const MIN_SECRET_NAME_LENGTH = 2;
export const MAX_SECRET_NAME_LENGTH = 64;
