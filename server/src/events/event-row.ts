import { toId, uuidTime } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import type { ScrubCounts } from '../scrubbing/schema.ts';
import { formatMoney, toDecimal } from './money.ts';
import type { Event, EventChange, ListedEvent } from './schema.ts';
import { Severity } from './severity.ts';

export interface EventRow {
  id: string;
  organizationId: string;
  projectId: string;
  receivedAt: Date;
  severity: Severity;
  type: string;
  source: string | null;
  message: string;
  correlationId: string;
  fingerprint: string;
  /** UUID. */
  groupId: string | null;
  release: string | null;
  environment: string;
  correlation: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** Amount of a payment in the smallest unit of its currency; null: none is known. */
  amount: number | null;
  /** Null without an amount. */
  currency: string | null;
  /** Null: the event is stored as sent. */
  changed: EventChange[] | null;
  /** Null: the event holds no secret that was found. */
  scrubbed: ScrubCounts | null;
  /** Null: it stands for itself alone. */
  weight: number | null;
}

export type ListedEventRow = Omit<EventRow, 'payload'> & Partial<Pick<EventRow, 'payload'>>;

export function toEvent(row: EventRow): Event {
  return { ...toListedEvent(row), payload: row.payload };
}

export function toListedEvent(row: ListedEventRow): ListedEvent {
  return {
    id: toId('evt', row.id),
    type: row.type,
    severity: row.severity,
    source: row.source,
    message: row.message,
    ...(row.payload && { payload: row.payload }),
    correlation: row.correlation,
    correlationId: row.correlationId,
    fingerprint: row.fingerprint,
    groupId: row.groupId && toId('grp', row.groupId),
    release: row.release,
    environment: row.environment,
    projectId: toId('proj', row.projectId),
    organizationId: toId('org', row.organizationId),
    amount: toAmount(row),
    capturedAt: isoTime(uuidTime(row.id)),
    receivedAt: isoTime(row.receivedAt),
    changed: row.changed ?? [],
    scrubbed: row.scrubbed ?? {},
    weight: row.weight ?? 1,
  };
}

function toAmount({ amount: units, currency }: ListedEventRow): Event['amount'] {
  if (units === null || currency === null) return null;
  const value = toDecimal(String(units), currency);
  return { value, currency, text: formatMoney({ amount: value, currency }) };
}
