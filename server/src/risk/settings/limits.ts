/*
 * Limits of a project's alarm settings. The API's schema and the dashboard's form both use them; the dashboard
 * imports this file as code, so it imports nothing.
 */

/** Acceptable false alarms per week. */
export const BUDGET = { min: 0.01, max: 100 };
export const MAX_RULES = 20;
export const RULE_EVENTS = { min: 1, max: 1_000_000 };
export const RULE_MINUTES = { min: 1, max: 1_440 };
