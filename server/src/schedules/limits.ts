/** Maximum schedules of a project. */
export const MAX_SCHEDULES = 100;
export const MAX_SLUG_LENGTH = 64;
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9_-]*$';
export const MAX_CRON_LENGTH = 100;
export const MAX_TIME_ZONE_LENGTH = 64;
/** Interval in seconds: a minute to a year. */
export const INTERVAL_SECONDS = { min: 60, max: 366 * 86_400 };
/** Grace period in seconds: up to a week. */
export const GRACE_SECONDS = { min: 0, max: 7 * 86_400, default: 300 };
/** Run time in seconds: a second to a week. */
export const RUN_SECONDS = { min: 1, max: 7 * 86_400, default: 3_600 };
/** Number of consecutive check-ins that open or resolve an incident. */
export const IN_A_ROW = { min: 1, max: 100 };
/** Maximum check-ins of a schedule; older ones are deleted. */
export const MAX_CHECK_INS = 500;
/** Bytes that are kept of what a job sends: the last ones. */
export const MAX_BODY_BYTES = 10_000;
/** Maximum failures of a schedule that keep their output, and of other check-ins likewise. */
export const MAX_BODIES = 20;
/** Timetable of a schedule that a ping creates. */
export const CREATED_BY_PING = { intervalSeconds: 86_400, graceSeconds: 3_600 };
