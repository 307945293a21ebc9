import type { RiskSeries } from '../types.ts';
import type { Anomaly } from './anomaly.ts';

/** Series of an alarm as grouping knows it: without its fingerprint, and for a rule the events that fulfilled it. */
export type Member = Omit<RiskSeries, 'fingerprint'>;

/** Places from which a further one has the same cause: a dependency, the network, a deploy of all. */
const STORM_PLACES = 4;

export function memberOf(
  { kind, type, severity, source }: RiskSeries,
  matched: Anomaly['matched'] = null,
): Member {
  return { kind, severity, type: matched?.type ?? type, source: matched?.source ?? source };
}

export function isSameMember(left: Member, right: Member): boolean {
  return (
    left.kind === right.kind &&
    left.type === right.type &&
    left.severity === right.severity &&
    left.source === right.source
  );
}

/**
 * True if two series share a dimension of a cause: their source; or their type and severity, unless it is the type of most series,
 * which says nothing. All series of payments share their type with the ratio of failed ones. Series
 * without a source differ in severity alone where they have the same type.
 */
export function sharesDimension(
  left: Member,
  right: Member,
  isCommonType: (type: string) => boolean,
): boolean {
  if (left.source !== null && left.source === right.source) return true;
  if (left.type === null || left.type !== right.type) return false;
  if (left.kind === 'failed_payments' || right.kind === 'failed_payments') return true;
  if (left.source === null && right.source === null) return true;
  return left.severity === right.severity && !isCommonType(left.type);
}

/** True if so many sources take part that a further one is no coincidence; without a source, a type stands for it. */
export function isStorm(members: Iterable<Member>): boolean {
  const places = new Set<string>();
  for (const member of members) {
    const place = placeOf(member);
    if (place !== null) places.add(place);
    if (places.size >= STORM_PLACES) return true;
  }
  return false;
}

/** Returns the place of a series; null for one that comes from everywhere. */
export function placeOf({ kind, type, source }: Pick<Member, 'kind' | 'type' | 'source'>): string | null {
  if (source !== null) return `source ${source}`;
  return type === null || kind === 'failed_payments' ? null : `type ${type}`;
}
