import type { Evidence, ListedEventRecord } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';

export interface Affected {
  correlationId: string;
  /** The key it came under, such as `order_id`; null where none is known. */
  key: string | null;
  count: number;
}

export interface AffectedCounts {
  /** Most events first. */
  affected: Affected[];
  /** Events without an id of a user, order or the like. */
  anonymous: number;
}

/** Counts events by the user, order or the like that they name. */
export function countAffected(events: ListedEventRecord[]): AffectedCounts {
  const byId = new Map<string, Affected>();
  let anonymous = 0;
  for (const { correlationId, fingerprint, correlation } of events) {
    // Without a correlation the service groups by fingerprint: that identifies the error, not who is affected.
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

const NOUNS = new Map([
  ['user_id', 'user'],
  ['customer_id', 'customer'],
  ['order_id', 'order'],
]);

/** How many are affected: "499 users"; "499 different ids" where their keys differ or have no noun. */
export function nameAffected(affected: Affected[]): string {
  const [first] = affected;
  const noun = affected.every(({ key }) => key === first?.key) && NOUNS.get(first?.key ?? '');
  const count = formatCount(affected.length);
  if (affected.length === 1) return noun ? `1 ${noun}` : '1 id';
  return noun ? `${count} ${noun}s` : `${count} different ids`;
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
