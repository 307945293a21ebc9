import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { bind } from '../where.ts';
import { type GroupCountsRequest, tablesOf } from './largest-group-queries.ts';
import { staleHours } from './rolled-hours.ts';

interface GroupCounts {
  /** Rows with the columns group_id, at, info, warn, error and critical. */
  rows: string;
  widthMs: number;
}

/**
 * Counts of some groups in the whole minutes of a range: those of hours that are copied or moved, and of the minutes
 * beside them.
 */
export function countsOfGroups(request: GroupCountsRequest, ids: string, values: unknown[]): GroupCounts[] {
  const { firstMinuteMs, endMinuteMs, rolled } = request;
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const of = (table: string, at: 'hour' | 'minute', where: string, from = ''): GroupCounts => ({
    rows: `SELECT h.* FROM unnest(${ids}) AS one (id) CROSS JOIN LATERAL (
        SELECT h.group_id, h.${at} AS at, h.info, h.warn, h.error, h.critical FROM ${table} AS h ${from}
        WHERE h.group_id = one.id AND ${where} OFFSET 0
      ) AS h`,
    widthMs: at === 'hour' ? HOUR_MS : MINUTE_MS,
  });
  const minutes = (fromMs: number, endMs: number) =>
    fromMs < endMs
      ? [of('group_minutes', 'minute', `minute >= ${time(fromMs)} AND minute < ${time(endMs)}`)]
      : [];
  const isRolled = rolled.fromMs < rolled.endMs;
  const stale = isRolled && rolled.stale.length > 0 ? staleHours(rolled, values) : null;
  const isNotStale = stale ? `AND (h.project_id, h.hour) NOT IN (SELECT project_id, hour FROM ${stale})` : '';
  const inStale = `h.project_id = stale.project_id AND minute >= stale.hour AND minute < stale.hour + interval '1 hour'`;
  return [
    ...tablesOf(request).map(({ table, fromMs, endMs }) =>
      of(
        table,
        'hour',
        `hour >= ${time(fromMs)} AND hour < ${time(endMs)} ${table === 'group_recent_hours' ? isNotStale : ''}`,
      ),
    ),
    ...minutes(firstMinuteMs, isRolled ? rolled.fromMs : endMinuteMs),
    ...(isRolled ? minutes(rolled.endMs, endMinuteMs) : []),
    ...(stale ? [of('group_minutes', 'minute', inStale, `CROSS JOIN ${stale}`)] : []),
  ];
}
