/*
 * Limits that the API's schemas and the dashboard's forms share; the dashboard imports this file as code, so it
 * imports nothing.
 */

/** Maximum names of a project beside production, staging and development: events with further ones are of `other`. */
export const MAX_NAMED_ENVIRONMENTS = 20;
/** Share of the events of an hour above which nearly all are from one environment. */
export const MAJORITY_SHARE = 0.9;
