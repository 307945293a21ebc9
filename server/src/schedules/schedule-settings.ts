import type { Static } from 'typebox';
import { HOUR_MS } from '../platform/durations.ts';
import { ApiError } from '../platform/errors.ts';
import { GRACE_SECONDS, MAX_SLUG_LENGTH, RUN_SECONDS } from './limits.ts';
import type { ScheduleRow } from './rows.ts';
import { reviewTime } from './schedule-state.ts';
import type { NewSchedule, SchedulePatch } from './schema.ts';
import { findFault, nextDue, UNKNOWN_DUE } from './timetable.ts';

/** Pause until a timetable that could not be followed is tried again. */
const FAULT_PAUSE_MS = HOUR_MS;

/** Settings of a schedule by users. */
export type ScheduleSettings = Pick<
  ScheduleRow,
  | 'name'
  | 'cron'
  | 'intervalSeconds'
  | 'timeZone'
  | 'graceSeconds'
  | 'maxRuntimeSeconds'
  | 'failureAfter'
  | 'recoverAfter'
  | 'severity'
  | 'type'
  | 'source'
>;

/** @throws ApiError `validation_failed` */
export function toNewSchedule(
  body: Static<typeof NewSchedule>,
  nowMs: number,
): ScheduleSettings & { slug: string } {
  const slug = body.slug ?? toSlug(body.name ?? '');
  if (slug === '') refuse('slug', 'is missing, and the name holds no letter or digit to make one of');
  const settings = {
    name: body.name?.trim() ?? slug,
    cron: body.cron?.trim() ?? null,
    intervalSeconds: body.intervalSeconds ?? null,
    timeZone: body.timeZone ?? 'UTC',
    graceSeconds: body.graceSeconds ?? GRACE_SECONDS.default,
    maxRuntimeSeconds: body.maxRuntimeSeconds === undefined ? RUN_SECONDS.default : body.maxRuntimeSeconds,
    failureAfter: body.failureAfter ?? 1,
    recoverAfter: body.recoverAfter ?? 1,
    severity: body.severity ?? 'error',
    type: body.type ?? null,
    source: body.source ?? null,
  };
  refuseFault(settings, nowMs);
  return { slug, ...settings };
}

/**
 * Changes the settings of a schedule. If it expects the job at other times, or resumes after a pause, the next time
 * counts from now; a pause ends the current run and the current failures.
 * @throws ApiError `validation_failed`
 */
export function changeSettings(
  before: ScheduleRow,
  { paused, ...patch }: Static<typeof SchedulePatch>,
  nowMs: number,
): ScheduleRow {
  const named = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const after: ScheduleRow = { ...before, ...named };
  after.name = after.name.trim();
  // Naming one kind of timetable replaces the other.
  if (patch.cron != null && patch.intervalSeconds === undefined) after.intervalSeconds = null;
  if (patch.intervalSeconds != null && patch.cron === undefined) after.cron = null;
  const expectsOtherTimes =
    after.cron !== before.cron ||
    after.intervalSeconds !== before.intervalSeconds ||
    after.timeZone !== before.timeZone;
  const isPaused = paused ?? before.pausedAt !== null;
  // A timetable that can no longer be followed can at least be paused.
  if (expectsOtherTimes || !isPaused) refuseFault(after, nowMs);
  after.pausedAt = isPaused ? (before.pausedAt ?? new Date(nowMs)) : null;
  if (isPaused) return { ...after, runs: [], failures: 0 };
  if (expectsOtherTimes || before.pausedAt) after.dueAt = new Date(nextDue(after, nowMs));
  return after;
}

/** @returns null while it is paused */
export function reviewAtOf(schedule: ScheduleRow, nowMs: number): Date | null {
  if (schedule.pausedAt) return null;
  const atMs = reviewTime(schedule, schedule);
  // By then another worker, with a newer Node, may know the time zone.
  return new Date(schedule.dueAt < UNKNOWN_DUE ? atMs : Math.min(atMs, nowMs + FAULT_PAUSE_MS));
}

function refuseFault({ cron, intervalSeconds, timeZone }: ScheduleSettings, nowMs: number): void {
  if ((cron === null) === (intervalSeconds === null)) {
    refuse('cron', 'or intervalSeconds is needed, and only one of them');
  }
  const fault = findFault({ cron, intervalSeconds, timeZone }, nowMs);
  if (fault) refuse(fault.field, fault.fault);
}

function refuse(field: string, message: string): never {
  throw new ApiError('validation_failed', `body/${field} ${message}.`, {
    fields: [{ pointer: `/${field}`, message }],
  });
}

/** “Nightly backup” → `nightly-backup`. */
function toSlug(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '');
}
