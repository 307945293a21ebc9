import type { Evidence, ListedEventRecord } from './api-types.ts';
import { formatCount } from './format.ts';

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
export function affectedThen({ correlationIds }: Pick<Evidence, 'correlationIds'>): Affected[] {
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

/** Ids under one key, most events first. */
export interface AffectedGroup {
  key: string | null;
  affected: Affected[];
  /** Whether one of them holds far more events than the others. */
  standsOut: boolean;
}

/** By key, the one with the most events first: users and orders are no ranking of each other. */
export function groupAffected(affected: Affected[]): AffectedGroup[] {
  const groups = new Map<string | null, Affected[]>();
  for (const one of affected) groups.set(one.key, [...(groups.get(one.key) ?? []), one]);
  return [...groups]
    .map(([key, ids]) => ({ key, affected: ids, standsOut: standsOut(ids) }))
    .toSorted((one, other) => sumOf(other.affected) - sumOf(one.affected));
}

const sumOf = (affected: Affected[]) => affected.reduce((sum, { count }) => sum + count, 0);

/** A tenth of all events, and twice the median: below that the first is the first by chance, or says little. */
function standsOut(affected: Affected[]): boolean {
  const [first] = affected;
  const median = affected[Math.floor(affected.length / 2)];
  if (!first || !median) return false;
  return affected.length === 1 || (first.count >= 2 * median.count && first.count >= sumOf(affected) / 10);
}

/** How many users or customers the events name, wherever in their correlation: "42 users"; null where they name none. */
export function countPeople(events: Pick<ListedEventRecord, 'correlation'>[]): string | null {
  for (const [key, noun] of [
    ['user_id', 'user'],
    ['customer_id', 'customer'],
  ] as const) {
    const ids = new Set(
      events.flatMap(({ correlation }) =>
        Object.hasOwn(correlation, key) ? [String(correlation[key])] : [],
      ),
    );
    if (ids.size > 0) return `${formatCount(ids.size)} ${noun}${ids.size === 1 ? '' : 's'}`;
  }
  return null;
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
