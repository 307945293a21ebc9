import {
  formatAmount,
  formatPercent,
  isCloseToZero,
  titleOfSeries,
} from '../../../../server/src/incidents/wording.ts';
import type { Incident } from '../../lib/api-types.ts';
import { texts } from '../texts.ts';

const words = texts.incident;

/**
 * Describes what tells an incident from others with a similar title: group, rate, release and place of its lead. Null if
 * it has none of them.
 */
export function describeLead(incident: Incident): string | null {
  const { lead, mainGroup, titleOrigin } = incident;
  // The title of an incident without a main group names the series.
  const isNamed = mainGroup === null && titleOrigin === 'generated';
  const parts = [
    mainGroup?.key,
    describeRate(incident),
    describeRelease(incident),
    'series' in lead && !isNamed && titleOfSeries(lead.series),
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' · ');
}

/** Describes the first and the usual rate of the lead: "64/min at first, usually 0.3"; null if it counts nothing. */
export function describeRate({ rate }: Pick<Incident, 'rate'>): string | null {
  if (!rate) return null;
  return [words.atFirst(describeObserved(rate)), describeUsual(rate)].filter(Boolean).join(', ');
}

/** Returns "64/min", "35% of payments". */
export function describeObserved({ observed, unit }: NonNullable<Incident['rate']>): string {
  return unit === 'percent' ? words.ofPayments(formatPercent(observed)) : formatRate(observed);
}

/**
 * Returns "usually 0.3"; null if nothing is expected.
 * @param besidePerMinute preceding rate, whose unit this one shares
 */
export function describeUsual(
  { observed, usual, unit }: NonNullable<Incident['rate']>,
  besidePerMinute = observed,
): string | null {
  if (usual === null) return null;
  if (unit === 'percent') return words.usually(formatPercent(usual));
  return words.usually(formatRate(usual, besidePerMinute === 0 ? null : besidePerMinute));
}

/** Returns "new in 4.18.2"; null if the events come from no particular release. */
export function describeRelease({ release }: Pick<Incident, 'release'>): string | null {
  if (!release) return null;
  const { version, says, alsoIn } = release;
  return says === 'returned' ? words.returned(version, alsoIn) : words.release[says](version);
}

/**
 * Formats a rate in the unit in which it is one or more: `70/min`, `12/h`.
 * @param besidePerMinute rate whose unit is used and left out
 */
export function formatRate(perMinute: number, besidePerMinute: number | null = null): string {
  if (perMinute === 0) return words.none;
  const [unit, minutes] = unitOf(besidePerMinute ?? perMinute);
  const amount = perMinute * minutes;
  return besidePerMinute === null && !isCloseToZero(amount)
    ? `${formatAmount(amount)}/${unit}`
    : formatAmount(amount);
}

function unitOf(perMinute: number): [unit: string, minutes: number] {
  if (perMinute >= 1) return ['min', 1];
  return perMinute * 60 >= 1 ? ['h', 60] : ['day', 1_440];
}
