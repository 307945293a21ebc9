import type { CheckInRecord } from '../../lib/api-types.ts';
import { formatSpan } from '../../lib/schedules/format-span.ts';

/** Texts about scheduled jobs, on their page and on those of their incidents. */
export const texts = {
  expected: (cron: string | null, intervalSeconds: number | null, timeZone: string) =>
    cron === null ? `every ${formatSpan(intervalSeconds ?? 0).replace(/^1 /, '')}` : `${cron} (${timeZone})`,
  empty: 'No check-ins yet.',
  due: (time: string) => `due ${time}`,
  took: (seconds: number) => `took ${formatSpan(seconds)}`,
  output: 'Output',
  statuses: {
    in_progress: 'started',
    ok: 'succeeded',
    error: 'failed',
    missed: 'missed',
    timed_out: 'didn’t finish',
    unknown: 'unknown (Tocsin wasn’t running)',
    log: 'output',
  } satisfies Record<CheckInRecord['status'], string>,
};
