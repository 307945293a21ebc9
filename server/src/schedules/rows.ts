import type { Static } from 'typebox';
import type { Severity } from '../events/severity.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { type MakerToken, toNamedToken } from '../tenancy/maker-token.ts';
import type { CheckInRecord, Expectation, RunState } from './schedule-state.ts';
import type { AcceptedCheckIn, CheckIn, Schedule, ScheduleStatus } from './schema.ts';
import { findFault, UNKNOWN_DUE } from './timetable.ts';

/** A schedule as the database stores it; all ids are UUIDs. */
export interface ScheduleRow extends Expectation, RunState {
  id: string;
  projectId: string;
  slug: string;
  name: string;
  severity: Severity;
  type: string | null;
  source: string | null;
  pausedAt: Date | null;
  incidentId: string | null;
  createdAt: Date;
  /** Null as well for one that an application declares. */
  madeByToken: MakerToken | null;
}

export interface CheckInRow extends Omit<CheckInRecord, 'atMs' | 'dueMs'> {
  id: string;
  at: Date;
  dueAt: Date | null;
}

export function toSchedule(row: ScheduleRow, nowMs: number): Schedule {
  const fault = findFault(row, nowMs);
  return {
    id: toId('sch', row.id),
    projectId: toId('proj', row.projectId),
    slug: row.slug,
    cron: row.cron,
    intervalSeconds: row.intervalSeconds,
    name: row.name,
    timeZone: row.timeZone,
    graceSeconds: row.graceSeconds,
    maxRuntimeSeconds: row.maxRuntimeSeconds,
    failureAfter: row.failureAfter,
    recoverAfter: row.recoverAfter,
    severity: row.severity,
    type: row.type,
    source: row.source,
    paused: row.pausedAt !== null,
    status: statusOf(row, nowMs),
    lastCheckInAt: row.lastCheckInAt && isoTime(row.lastCheckInAt),
    lastStatus: row.lastStatus,
    lastDurationSeconds: row.lastDurationMs === null ? null : row.lastDurationMs / 1000,
    problem:
      fault &&
      `${fault.field === 'cron' ? 'The cron expression' : `The time zone ${row.timeZone}`} ${fault.fault}.`,
    nextDueAt: row.pausedAt || fault || row.dueAt >= UNKNOWN_DUE ? null : isoTime(row.dueAt),
    incidentId: row.incidentId && toId('inc', row.incidentId),
    createdAt: isoTime(row.createdAt),
    madeByToken: toNamedToken(row.madeByToken),
  };
}

function statusOf(row: ScheduleRow, nowMs: number): ScheduleStatus {
  if (row.pausedAt) return 'paused';
  if (row.incidentId !== null || row.failures > 0) return 'failing';
  if (row.runs.length > 0) return 'running';
  if (row.dueAt.getTime() <= nowMs) return 'late';
  return row.lastCheckInAt ? 'ok' : 'waiting';
}

/** Answer to a check-in. */
export function toAcceptedCheckIn(row: ScheduleRow, nowMs: number): Static<typeof AcceptedCheckIn> {
  const { id, nextDueAt } = toSchedule(row, nowMs);
  return { status: 'recorded', scheduleId: id, nextDueAt };
}

export function toCheckIn({ id, status, at, dueAt, durationMs, runId, body }: CheckInRow): CheckIn {
  return {
    id: toId('chk', id),
    status,
    at: isoTime(at),
    dueAt: dueAt && isoTime(dueAt),
    durationSeconds: durationMs === null ? null : durationMs / 1000,
    runId,
    body,
  };
}
