import { useQuery } from '@tanstack/react-query';
import type { Incident, ScheduleRecord } from '../../../lib/api-types.ts';
import { formatDuration, formatMinute } from '../../../lib/format.ts';
import { checkInsQuery, schedulesQuery } from '../../../lib/schedules/schedule-queries.ts';
import type { Figure } from '../../../ui/layout/page-head.tsx';
import { texts as shared } from '../../../ui/schedules/texts.ts';
import { texts } from '../texts.ts';

const words = texts.schedule;

/** Reads the scheduled job of an incident and its newest check-ins; nothing is read for other incidents. */
export function useSchedule({ lead, projectId }: Pick<Incident, 'lead' | 'projectId'>) {
  const id = lead.kind === 'schedule' ? lead.scheduleId : null;
  const enabled = id !== null;
  const schedules = useQuery({ ...schedulesQuery(projectId), enabled });
  const checkIns = useQuery({ ...checkInsQuery({ projectId, id: id ?? '' }), enabled });
  const schedule = schedules.data?.find((one) => one.id === id);
  return { schedule, checkIns, isGone: !enabled || (schedules.data !== undefined && !schedule) };
}

/** Returns the time since the last success, beside the timetable; null until it is known. */
export function figureOfSchedule(
  { since, until }: Pick<Incident, 'since' | 'until'>,
  { schedule, checkIns: { data } }: ReturnType<typeof useSchedule>,
  nowMs: number,
): Figure | null {
  if (!schedule || !data) return null;
  const { cron, intervalSeconds, timeZone } = schedule;
  // A success has ended an incident that is over.
  const last = data.items.find(({ status, at }) => status === 'ok' && (until === null || at < since));
  const oldest = data.next === null ? undefined : data.items.at(-1);
  const lasted = (at: string) => formatDuration((until ? Date.parse(until) : nowMs) - Date.parse(at));
  const value = last ? lasted(last.at) : oldest ? words.over(lasted(oldest.at)) : words.never;
  const what = last || oldest ? words.withoutSuccess : words.succeeded;
  return {
    value,
    details: [what, words.expected(shared.expected(cron, intervalSeconds, timeZone))].join(' · '),
  };
}

/** Formats a time in the reader's time zone, and in that of the job where its clock differs: "3 Nov, 02:00 (03:00 Europe/Berlin)". */
export function formatDue(time: string, { timeZone }: Pick<ScheduleRecord, 'timeZone'>): string {
  const own = formatMinute(time);
  const there = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const clock = there.format(new Date(time));
  return own.endsWith(clock) ? own : words.inZone(own, clock, timeZone);
}
