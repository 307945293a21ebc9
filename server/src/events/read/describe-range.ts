import { isoTime } from '../../platform/time.ts';
import type { EventConditions } from '../read-types.ts';

/** Names the range of time that a read scans, in words. */
export function describeRange({ afterMs, beforeMs }: Pick<EventConditions, 'afterMs' | 'beforeMs'>): string {
  const from = afterMs === null ? '' : ` from ${toMinute(afterMs)}`;
  const to = beforeMs === null ? (afterMs === null ? ' of all time' : ' on') : ` to ${toMinute(beforeMs)}`;
  return `the events${from}${to}`;
}

/** `2026-11-20 06:00 UTC` */
function toMinute(timeMs: number): string {
  return `${isoTime(timeMs).slice(0, 16).replace('T', ' ')} UTC`;
}
