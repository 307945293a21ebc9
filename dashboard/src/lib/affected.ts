import { MAX_FILTER_VALUE_LENGTH } from '../../../server/src/events/limits.ts';
import type { Evidence, ListedEventRecord } from './api-types.ts';
import { formatCount } from './format.ts';

export interface Affected {
  /** The id of a user, an order or the like. */
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

/** The keys of people, who are affected beside the order or the like that an event is about. */
const PEOPLE = new Map([
  ['user_id', 'user'],
  ['customer_id', 'customer'],
]);

/**
 * Counts events by their correlation id, and by each user and customer that they name: an event of a user's order counts for
 * both.
 */
export function countAffected(events: ListedEventRecord[]): AffectedCounts {
  const byName = new Map<string, Affected>();
  let anonymous = 0;
  for (const event of events) {
    const named = namedBy(event);
    if (named.length === 0) anonymous++;
    for (const { key, correlationId } of named) {
      const name = JSON.stringify([key, correlationId]);
      const known = byName.get(name);
      if (known) known.count++;
      else byName.set(name, { correlationId, key, count: 1 });
    }
  }
  return { affected: [...byName.values()].toSorted((left, right) => right.count - left.count), anonymous };
}

type Named = Pick<ListedEventRecord, 'correlation' | 'correlationId' | 'fingerprint'>;

function namedBy({ correlation, correlationId, fingerprint }: Named): Omit<Affected, 'count'>[] {
  const people = [...PEOPLE.keys()].flatMap((key) =>
    isNamed(correlation, key) ? [{ key, correlationId: String(correlation[key]) }] : [],
  );
  // Without a correlation the service groups by fingerprint: that identifies the error, not who is affected.
  if (correlationId === fingerprint) return people;
  const key = keyOf(correlation, correlationId);
  return people.some((one) => one.key === key) ? people : [...people, { key, correlationId }];
}

function isNamed(correlation: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(correlation, key) && correlation[key] !== null && correlation[key] !== '';
}

/** The filter of events that name an id. */
export function searchOfAffected({
  key,
  correlationId,
}: Pick<Affected, 'key' | 'correlationId'>):
  | Record<`correlation.${string}`, string>
  | { correlation_id: string } {
  return key !== null && correlationId.length <= MAX_FILTER_VALUE_LENGTH
    ? { [`correlation.${key}`]: correlationId }
    : { correlation_id: correlationId };
}

/** Whom the evidence names, for when no events are kept any more. */
export function affectedThen({ correlationIds }: Pick<Evidence, 'correlationIds'>): Affected[] {
  return correlationIds.map(({ correlationId, events }) => ({ correlationId, key: null, count: events }));
}

const NOUNS = new Map([...PEOPLE, ['order_id', 'order']]);

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

/** By key: people first, then the key with the most events. Users and orders are no ranking of each other. */
export function groupAffected(affected: Affected[]): AffectedGroup[] {
  const groups = new Map<string | null, Affected[]>();
  for (const one of affected) groups.set(one.key, [...(groups.get(one.key) ?? []), one]);
  return [...groups]
    .map(([key, ids]) => ({ key, affected: ids, standsOut: standsOut(ids) }))
    .toSorted(
      (one, other) =>
        Number(PEOPLE.has(other.key ?? '')) - Number(PEOPLE.has(one.key ?? '')) ||
        sumOf(other.affected) - sumOf(one.affected),
    );
}

const sumOf = (affected: Affected[]) => affected.reduce((sum, { count }) => sum + count, 0);

/** A tenth of all events, and twice the median: below that the first is the first by chance, or says little. */
function standsOut(affected: Affected[]): boolean {
  const [first] = affected;
  const median = affected[Math.floor(affected.length / 2)];
  if (!first || !median) return false;
  return affected.length === 1 || (first.count >= 2 * median.count && first.count >= sumOf(affected) / 10);
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
