import { queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { CheckInRecord, NewScheduleRecord, ScheduleRecord, Severity } from '../../lib/api-types.ts';

const REFETCH_INTERVAL_MS = 10_000;
/** Number of schedules read: the maximum of a project. */
const SCHEDULES_READ = 100;
const CHECK_INS_READ = 50;

export interface ScheduleValues {
  name: string;
  cron: string | null;
  intervalSeconds: number | null;
  timeZone: string;
  graceSeconds: number;
  maxRuntimeSeconds: number | null;
  severity: Severity;
}

export const schedulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['schedules', projectId],
    queryFn: async ({ signal }) =>
      (await requestPage<ScheduleRecord>(withQuery(pathOf(projectId), { limit: SCHEDULES_READ }), signal))
        .items,
    refetchInterval: REFETCH_INTERVAL_MS,
  });

/** Reads the newest check-ins of a schedule. */
export const checkInsQuery = ({ projectId, id }: ScheduleRecord) =>
  queryOptions({
    queryKey: ['schedules', projectId, 'check-ins', id],
    queryFn: ({ signal }) =>
      requestPage<CheckInRecord>(
        withQuery(`${pathOf(projectId, id)}/check-ins`, { limit: CHECK_INS_READ }),
        signal,
      ),
    refetchInterval: REFETCH_INTERVAL_MS,
  });

export const createSchedule = (projectId: string, body: ScheduleValues) =>
  request<NewScheduleRecord>('POST', pathOf(projectId), { body });

export const changeSchedule = (
  { projectId, id }: ScheduleRecord,
  body: Partial<ScheduleValues> | { paused: boolean },
) => request<ScheduleRecord>('PATCH', pathOf(projectId, id), { body });

export const deleteSchedule = ({ projectId, id }: ScheduleRecord) => request('DELETE', pathOf(projectId, id));

export const replacePingUrl = ({ projectId, id }: ScheduleRecord) =>
  request<{ pingUrl: string }>('POST', `${pathOf(projectId, id)}/ping-url`);

function pathOf(projectId: string, scheduleId?: string): string {
  const path = `/projects/${encodeURIComponent(projectId)}/schedules`;
  return scheduleId === undefined ? path : `${path}/${encodeURIComponent(scheduleId)}`;
}
