/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

export const MAX_TYPE_LENGTH = 128;
export const MAX_SOURCE_LENGTH = 256;
/** Maximum length of a value to find in correlation or payload. */
export const MAX_FILTER_VALUE_LENGTH = 256;
/** Maximum length of `q`, the words to search for. */
export const MAX_SEARCH_LENGTH = 500;
/** Maximum excluded values in one query. */
export const MAX_EXCLUSIONS = 16;
/** Maximum keys from the payload to the field of a rule, and their maximum length. */
export const MAX_FIELD_DEPTH = 3;
export const MAX_FIELD_KEY_LENGTH = 100;
export const MAX_FIELD_VALUE_LENGTH = 200;
/** Maximum size of a whole condition as JSON: beside the longest type and source it has to fit into an entry of an index. */
export const MAX_FIELD_BYTES = 1_000;
/** Maximum releases that are listed of a group of an incident. */
export const MAX_LISTED_RELEASES = 5;
