/* Bounds that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it imports nothing. */

/** Of one project in a day (UTC), for errors (of severity error or worse) and for all others: beyond it they fold. */
export const MAX_NEW_GROUPS = 2_000;
/** Different users of a group are known up to here; one more stands for any larger number. */
export const MAX_KNOWN_USERS = 1_000;
/** A group is new for so long after its first event. */
export const NEW_GROUP_MS = 86_400_000;
/** Of `q`, the words to search for. */
export const MAX_SEARCH_LENGTH = 500;
/** Merged into one group. */
export const MAX_MERGED_GROUPS = 100;
/** Whose events by time are in one answer. */
export const MAX_COUNTED_GROUPS = 100;
/** Changed by one request. */
export const MAX_BULK_GROUPS = 100;
export const MAX_MUTE_COUNT = 1_000_000_000;
export const MIN_MUTE_PERIOD_SECONDS = 60;
export const MAX_MUTE_PERIOD_SECONDS = 86_400;
/** For so long the events of a group are counted by the minute, then by the hour. */
export const MINUTES_KEPT_HOURS = 48;
