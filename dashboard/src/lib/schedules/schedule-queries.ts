import { queryOptions } from '@tanstack/react-query';
import { requestPage, withQuery } from '../api.ts';
import type { CheckInRecord, ScheduleRecord } from '../api-types.ts';

const REFETCH_INTERVAL_MS = 10_000;
/** Number of schedules read: the maximum of a project. */
const SCHEDULES_READ = 100;
const CHECK_INS_READ = 50;

export const schedulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['schedules', projectId],
    queryFn: async ({ signal }) =>
      (
        await requestPage<ScheduleRecord>(
          withQuery(schedulePath(projectId), { limit: SCHEDULES_READ }),
          signal,
        )
      ).items,
    refetchInterval: REFETCH_INTERVAL_MS,
  });

/** Reads the newest check-ins of a schedule. */
export const checkInsQuery = ({ projectId, id }: Pick<ScheduleRecord, 'projectId' | 'id'>) =>
  queryOptions({
    queryKey: ['schedules', projectId, 'check-ins', id],
    queryFn: ({ signal }) =>
      requestPage<CheckInRecord>(
        withQuery(`${schedulePath(projectId, id)}/check-ins`, { limit: CHECK_INS_READ }),
        signal,
      ),
    refetchInterval: REFETCH_INTERVAL_MS,
  });

/** Returns the path of a project's schedules, or of one of them. */
export function schedulePath(projectId: string, scheduleId?: string): string {
  const path = `/projects/${encodeURIComponent(projectId)}/schedules`;
  return scheduleId === undefined ? path : `${path}/${encodeURIComponent(scheduleId)}`;
}
