/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Even, so that what the samples of each step stand for is all of its events; all choices are multiples of it. */
export const MIN_SAMPLE_ABOVE = 100;
export const MAX_SAMPLE_ABOVE = 1_000_000;

/** Maximum characters of the prefix of a project's group keys. */
export const MAX_GROUP_PREFIX = 20;
