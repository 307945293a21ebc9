import { ApiError } from '../../platform/errors.ts';
import { isObject, type JsonObject, toObject } from '../../platform/json/json-object.ts';
import {
  GRACE_SECONDS,
  IN_A_ROW,
  INTERVAL_SECONDS,
  MAX_CRON_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_TIME_ZONE_LENGTH,
  RUN_SECONDS,
} from '../../schedules/limits.ts';
import type { NamedReport } from '../../schedules/record-check-in.ts';
import type { DeclaredSchedule } from '../../schedules/schema.ts';
import { toCount, toText } from './json-values.ts';

/** Seconds of a month and of a year are those of their longest ones. */
const UNIT_SECONDS = new Map<unknown, number>([
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 7 * 86_400],
  ['month', 31 * 86_400],
  ['year', 366 * 86_400],
]);

/** @throws ApiError `validation_failed` */
export function readCheckIn(item: JsonObject): NamedReport {
  const slug = toSlug(toText(item.monitor_slug) ?? '');
  const { status } = item;
  if (slug === '') throw new ApiError('validation_failed', 'A check-in has no monitor_slug.');
  if (status !== 'in_progress' && status !== 'ok' && status !== 'error')
    throw new ApiError('validation_failed', 'The status of a check-in must be in_progress, ok or error.');
  const runId = (toText(item.check_in_id) ?? '').replaceAll('-', '').toLowerCase();
  return {
    slug,
    status,
    // Some clients send zeros for a run that they cannot name.
    runId: /^[\da-f]{32}$/.test(runId) && !/^0+$/.test(runId) ? runId : null,
    declared: isObject(item.monitor_config) ? readTimetable(item.monitor_config) : null,
  };
}

/** A number beyond what a schedule takes is the nearest that it takes. @throws ApiError `validation_failed` */
function readTimetable(config: JsonObject): DeclaredSchedule {
  const { type, value, unit } = toObject(config.schedule);
  const unitSeconds = type === 'interval' ? (UNIT_SECONDS.get(unit) ?? 0) : 0;
  const cron = type === 'crontab' ? readShort(value, MAX_CRON_LENGTH) : null;
  const timeZone = readShort(config.timezone, MAX_TIME_ZONE_LENGTH);
  return {
    ...(cron !== null && { cron }),
    ...within('intervalSeconds', value, unitSeconds, INTERVAL_SECONDS),
    ...(timeZone !== null && { timeZone }),
    ...within('graceSeconds', config.checkin_margin, 60, GRACE_SECONDS),
    ...within('maxRuntimeSeconds', config.max_runtime, 60, RUN_SECONDS),
    ...within('failureAfter', config.failure_issue_threshold, 1, IN_A_ROW),
    ...within('recoverAfter', config.recovery_threshold, 1, IN_A_ROW),
  };
}

function readShort(value: unknown, maxLength: number): string | null {
  const text = toText(value);
  if (text !== null && text.length > maxLength)
    throw new ApiError(
      'validation_failed',
      `A text of a monitor_config has more than ${maxLength} characters.`,
    );
  return text;
}

function within<Name extends keyof DeclaredSchedule>(
  name: Name,
  value: unknown,
  unit: number,
  { min, max }: { min: number; max: number },
): { [Field in Name]?: number } {
  const count = toCount(value);
  if (count === null || unit === 0) return {};
  // The name is one of those that a number has.
  return { [name]: Math.min(max, Math.max(min, count * unit)) } as { [Field in Name]?: number };
}

/** `Nightly Backup` and `nightly.backup` are `nightly-backup` here. */
function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH);
}
