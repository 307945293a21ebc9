import type { Tracker } from '../heartbeat/gap-tracker.ts';
import type { SavedHeartbeat } from '../heartbeat/heartbeat-state.ts';

interface StoredFields {
  firstMs: number;
  seenMs?: number;
  clockMs: number;
  trackers: (Omit<Tracker, 'heartbeatMs'> & { beatMs: number })[];
  pauses: { halfHours: object; present: number; isAlive: boolean; wasAlive: boolean };
  missing: number;
}

/** The heartbeat of a series by its index; the half hours of its calendar in base64. */
export type StoredHeartbeat = [index: number, fields: StoredFields, halfHours: string];

export function toStoredHeartbeat([index, heartbeat]: [number, SavedHeartbeat]): StoredHeartbeat {
  const { firstMs, seenMs, clockMs, trackers, quietHours, overdue } = heartbeat;
  const { halfHours, currentHalfHour, hasEvents, hadEvents } = quietHours;
  const fields: StoredFields = {
    firstMs,
    ...(seenMs !== undefined && { seenMs }),
    clockMs,
    trackers: trackers.map(({ heartbeatMs, ...gaps }) => ({ beatMs: heartbeatMs, ...gaps })),
    pauses: { present: currentHalfHour, isAlive: hasEvents, wasAlive: hadEvents, halfHours: {} },
    missing: overdue,
  };
  return [index, fields, Buffer.from(halfHours).toString('base64')];
}

export function fromStoredHeartbeat([index, fields, calendar]: StoredHeartbeat): [number, SavedHeartbeat] {
  const { firstMs, seenMs, clockMs, trackers, pauses, missing } = fields;
  const { present, isAlive, wasAlive } = pauses;
  const halfHours = new Uint8Array(Buffer.from(calendar, 'base64'));
  const heartbeat: SavedHeartbeat = {
    firstMs,
    ...(seenMs !== undefined && { seenMs }),
    clockMs,
    trackers: trackers.map(({ beatMs, ...gaps }) => ({ heartbeatMs: beatMs, ...gaps })),
    quietHours: { halfHours, currentHalfHour: present, hasEvents: isAlive, hadEvents: wasAlive },
    overdue: missing,
  };
  return [index, heartbeat];
}
