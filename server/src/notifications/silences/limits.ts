/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum active silences of an organization. */
export const MAX_ACTIVE_SILENCES = 200;
export const MAX_SILENCE_DAYS = 30;
/** Maximum days of a silence during which nothing is learned: levels and rhythms reach back a week. */
export const MAX_UNLEARNED_DAYS = 7;
export const MAX_SILENCE_MINUTES = MAX_SILENCE_DAYS * 24 * 60;
export const MAX_REASON_LENGTH = 500;
/** `KEY=VALUE`. */
export const MAX_CORRELATION_LENGTH = 512;
