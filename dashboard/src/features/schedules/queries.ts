import { request } from '../../lib/api.ts';
import type { NewScheduleRecord, ScheduleRecord, Severity } from '../../lib/api-types.ts';
import { schedulePath } from '../../lib/schedules/schedule-queries.ts';

export interface ScheduleValues {
  name: string;
  cron: string | null;
  intervalSeconds: number | null;
  timeZone: string;
  graceSeconds: number;
  maxRuntimeSeconds: number | null;
  severity: Severity;
}

export const createSchedule = (projectId: string, body: ScheduleValues) =>
  request<NewScheduleRecord>('POST', schedulePath(projectId), { body });

export const changeSchedule = (
  { projectId, id }: ScheduleRecord,
  body: Partial<ScheduleValues> | { paused: boolean },
) => request<ScheduleRecord>('PATCH', schedulePath(projectId, id), { body });

export const deleteSchedule = ({ projectId, id }: ScheduleRecord) =>
  request('DELETE', schedulePath(projectId, id));

export const replacePingUrl = ({ projectId, id }: ScheduleRecord) =>
  request<{ pingUrl: string }>('POST', `${schedulePath(projectId, id)}/ping-url`);
