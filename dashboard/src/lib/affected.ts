import { MAX_FILTER_VALUE_LENGTH } from '../../../server/src/events/limits.ts';
import type { Evidence, ListedEventRecord } from './api-types.ts';
import { formatCount } from './format.ts';

export interface AffectedEntity {
  /** Id of a user, an order or the like. */
  correlationId: string;
  /** Key of the id, such as `order_id`; null if it is not known. */
  key: string | null;
  count: number;
}

export interface AffectedCounts {
  /** Ids, most events first. */
  affected: AffectedEntity[];
  /** Number of events without an id of a user, order or the like. */
  anonymous: number;
}

/** Keys of people, with the noun for each; an event counts for them and for the subject of its correlation. */
const PEOPLE = new Map([
  ['user_id', 'user'],
  ['customer_id', 'customer'],
]);

/**
 * Counts events by correlation id, and by each user and customer that they name: an event of a user's order counts for
 * both.
 */
export function countAffected(events: ListedEventRecord[]): AffectedCounts {
  const byName = new Map<string, AffectedEntity>();
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

type EventIds = Pick<ListedEventRecord, 'correlation' | 'correlationId' | 'fingerprint'>;

function namedBy({ correlation, correlationId, fingerprint }: EventIds): Omit<AffectedEntity, 'count'>[] {
  const people = [...PEOPLE.keys()].flatMap((key) =>
    isNamed(correlation, key) ? [{ key, correlationId: String(correlation[key]) }] : [],
  );
  // Without a correlation the service uses the fingerprint, which identifies the error, not an affected user.
  if (correlationId === fingerprint) return people;
  const key = keyOf(correlation, correlationId);
  return people.some((one) => one.key === key) ? people : [...people, { key, correlationId }];
}

function isNamed(correlation: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(correlation, key) && correlation[key] !== null && correlation[key] !== '';
}

/** Returns the search for events that name an id. */
export function searchOfAffected({
  key,
  correlationId,
}: Pick<AffectedEntity, 'key' | 'correlationId'>):
  | Record<`correlation.${string}`, string>
  | { correlation_id: string } {
  return key !== null && correlationId.length <= MAX_FILTER_VALUE_LENGTH
    ? { [`correlation.${key}`]: correlationId }
    : { correlation_id: correlationId };
}

/** Returns the affected ids of the evidence, for incidents whose events are no longer stored. */
export function affectedThen({ correlationIds }: Pick<Evidence, 'correlationIds'>): AffectedEntity[] {
  return correlationIds.map(({ correlationId, events }) => ({ correlationId, key: null, count: events }));
}

const NOUNS = new Map([...PEOPLE, ['order_id', 'order']]);

/** Describes the number of affected ids: "499 users"; "499 different ids" if their keys differ or have no noun. */
export function nameAffected(affected: AffectedEntity[]): string {
  const [first] = affected;
  const noun = affected.every(({ key }) => key === first?.key) && NOUNS.get(first?.key ?? '');
  const count = formatCount(affected.length);
  if (affected.length === 1) return noun ? `1 ${noun}` : '1 id';
  return noun ? `${count} ${noun}s` : `${count} different ids`;
}

/** Ids under one key, most events first. */
export interface AffectedGroup {
  key: string | null;
  affected: AffectedEntity[];
  /** True if one of them has far more events than the others. */
  standsOut: boolean;
}

/**
 * Describes the number of ids of one key. Null for users whom a heading counts among all events: the newest ones may
 * name fewer.
 */
export function nameUncounted({ key, affected }: AffectedGroup, areUsersCounted: boolean): string | null {
  return areUsersCounted && key === 'user_id' ? null : nameAffected(affected);
}

/** Groups ids by key, since users and orders are not comparable: people first, then the key with the most events. */
export function groupAffected(affected: AffectedEntity[]): AffectedGroup[] {
  const groups = new Map<string | null, AffectedEntity[]>();
  for (const one of affected) groups.set(one.key, [...(groups.get(one.key) ?? []), one]);
  return [...groups]
    .map(([key, ids]) => ({ key, affected: ids, standsOut: standsOut(ids) }))
    .toSorted(
      (one, other) =>
        Number(PEOPLE.has(other.key ?? '')) - Number(PEOPLE.has(one.key ?? '')) ||
        sumOf(other.affected) - sumOf(one.affected),
    );
}

const sumOf = (affected: AffectedEntity[]) => affected.reduce((sum, { count }) => sum + count, 0);

/** Returns true if the first has a tenth of all events and twice the median: below that it is first by chance, or says little. */
function standsOut(affected: AffectedEntity[]): boolean {
  const [first] = affected;
  const median = affected[Math.floor(affected.length / 2)];
  if (!first || !median) return false;
  return affected.length === 1 || (first.count >= 2 * median.count && first.count >= sumOf(affected) / 10);
}

/** Returns the key of the correlation id, by the order of the service: the keys that name the correlation itself come first. */
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
