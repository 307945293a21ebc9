/** Of a project. */
export const MAX_SCHEDULES = 100;
export const MAX_SLUG_LENGTH = 64;
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9_-]*$';
export const MAX_CRON_LENGTH = 100;
export const MAX_TIME_ZONE_LENGTH = 64;
/** In seconds: a minute to a year. */
export const INTERVAL_SECONDS = { min: 60, max: 366 * 86_400 };
/** In seconds: up to a week. */
export const GRACE_SECONDS = { min: 0, max: 7 * 86_400, default: 300 };
/** In seconds: a second to a week. */
export const RUN_SECONDS = { min: 1, max: 7 * 86_400, default: 3_600 };
/** How many check-ins in a row open or resolve an incident. */
export const IN_A_ROW = { min: 1, max: 100 };
/** Of a schedule; older check-ins are deleted. */
export const MAX_CHECK_INS = 500;
