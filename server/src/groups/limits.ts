/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/**
 * Maximum new groups of one project in a day (UTC), for errors (of severity error or worse) and for all others:
 * beyond it they fold.
 */
export const MAX_NEW_GROUPS = 2_000;
/** Maximum characters of a culprit; the rest is cut off. */
export const MAX_CULPRIT_LENGTH = 300;
/** Maximum number of different users of a group that are known; one more stands for any larger number. */
export const MAX_KNOWN_USERS = 1_000;
/** Time after its first event in which a group is new. */
export const NEW_GROUP_MS = 86_400_000;
/** Maximum length of `q`, the words to search for. */
export const MAX_SEARCH_LENGTH = 500;
/** Maximum groups merged into one. */
export const MAX_MERGED_GROUPS = 100;
/** Maximum groups whose events by time are in one answer. */
export const MAX_COUNTED_GROUPS = 100;
/** Maximum groups of each kind of change in a comparison of releases. */
export const MAX_COMPARED_GROUPS = 100;
/** Maximum groups changed by one request. */
export const MAX_BULK_GROUPS = 100;
export const MAX_MUTE_COUNT = 1_000_000_000;
export const MIN_MUTE_PERIOD_SECONDS = 60;
export const MAX_MUTE_PERIOD_SECONDS = 86_400;
/** Hours for which the events of a group are counted by the minute; then by the hour. */
export const MINUTES_KEPT_HOURS = 48;
