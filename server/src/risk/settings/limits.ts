/*
 * Limits of a project's alarm settings. The API's schema and the dashboard's form both use them; the dashboard
 * imports this file as code, so it imports nothing.
 */

/** Acceptable false alarms per week. */
export const BUDGET = { min: 0.01, max: 100 };
export const MAX_RULES = 20;
export const RULE_EVENTS = { min: 1, max: 1_000_000 };
export const RULE_MINUTES = { min: 1, max: 1_440 };
export const MAX_RULE_NAME_LENGTH = 80;
/** Percentage of the events that a rule about a share has to exceed. */
export const RULE_PERCENT = { min: 0.1, max: 99.9 };
/** Maximum rules of a project about a field of the payload: each is evaluated for each of its events. */
export const MAX_FIELD_RULES = 5;
/** Newest matching events that the preview of a rule about a field reads. */
export const MAX_PREVIEWED_EVENTS = 20_000;
