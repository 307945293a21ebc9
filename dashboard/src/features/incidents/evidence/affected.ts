import type { Evidence, ListedEventRecord } from '../../../lib/api-types.ts';

export interface Affected {
  correlationId: string;
  /** The key it came under, such as `order_id`; null where none is known. */
  key: string | null;
  count: number;
}

export interface AffectedCounts {
  /** Most events first. */
  affected: Affected[];
  /** Events that say nothing about whom they hit. */
  anonymous: number;
}

/** Counts events by whom they hit. */
export function countAffected(events: ListedEventRecord[]): AffectedCounts {
  const byId = new Map<string, Affected>();
  let anonymous = 0;
  for (const { correlationId, fingerprint, correlation } of events) {
    // Without a correlation the service groups by fingerprint: that is the fault, and nobody hit by it.
    if (correlationId === fingerprint) {
      anonymous++;
      continue;
    }
    const known = byId.get(correlationId);
    if (known) known.count++;
    else byId.set(correlationId, { correlationId, key: keyOf(correlation, correlationId), count: 1 });
  }
  return { affected: [...byId.values()].toSorted((left, right) => right.count - left.count), anonymous };
}

/** Whom the evidence names, for when no events are kept any more. */
export function affectedThen({ correlationIds }: Evidence): Affected[] {
  return correlationIds.map(({ correlationId, events }) => ({ correlationId, key: null, count: events }));
}

/** As the service chooses: what names the correlation itself comes first. */
function keyOf(correlation: Record<string, unknown>, correlationId: string): string | null {
  const keys = [
    'correlation_id',
    'order_id',
    'customer_id',
    'user_id',
    ...Object.keys(correlation).toSorted(),
  ];
  return (
    keys.find((key) => Object.hasOwn(correlation, key) && String(correlation[key]) === correlationId) ?? null
  );
}
