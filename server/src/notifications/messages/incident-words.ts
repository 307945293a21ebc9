import type { Facts, Incident } from '../../incidents/schema.ts';
import { formatAmount } from '../../incidents/wording.ts';
import type { Message } from './message.ts';
import { toLine } from './plain-text.ts';

/** Data about an incident beside its row. */
export interface IncidentExtras {
  /** Last sentence that the service wrote, if there is no evidence. */
  sentence: string | null;
  /** Title with which it opened. */
  firstTitle: string | null;
  /** Name of the user who investigates; null: no user does. */
  investigator: string | null;
  users: Facts['users'] | null;
  /** Current events of the lead a minute; null: the incident is over, or counts none. */
  perMinute: number | null;
}

export const NO_EXTRAS: IncidentExtras = {
  sentence: null,
  firstTitle: null,
  investigator: null,
  users: null,
  perMinute: null,
};

/** Lists the error with its share, release, users, rate and investigator, as far as each is known. */
export function incidentFacts(
  { mainGroup, release, rate, eventCount, investigatorId }: Incident,
  { investigator, users, perMinute }: IncidentExtras,
): Message['facts'] {
  const error = mainGroup && `${toLine(mainGroup.title)} (${percentOf(mainGroup.share)})`;
  return toFacts([
    ['Error', error],
    ['Release', release && describeRelease(release)],
    ['Events', eventCount > 0 ? eventCount.toLocaleString('en') : null],
    [
      'Users',
      users && users.count > 0
        ? `${users.isExact ? '' : 'at least '}${users.count.toLocaleString('en')}`
        : null,
    ],
    ['Now', perMinute === null ? null : describeRate(perMinute, rate)],
    ['Taken by', investigatorId === null ? null : toLine(investigator ?? 'Former member')],
  ]);
}

/** Describes a release as the pages do: by the group, not by the incident alone. */
export function describeRelease({ version, says, alsoIn }: NonNullable<Incident['release']>): string {
  const name = toLine(version);
  if (says === 'new') return `new in ${name}`;
  if (says === 'all') return `all from ${name} in this incident`;
  if (says === 'returned') return `all from ${name}; returned: also in ${joined(alsoIn.map(toLine))}`;
  return says === 'more' ? `more than usual in ${name}` : `${name} was deployed shortly before`;
}

function describeRate(perMinute: number, rate: Incident['rate']): string {
  const usual =
    rate?.unit === 'per_minute' && rate.usual !== null ? `, usually ${formatAmount(rate.usual)}` : '';
  return `${formatAmount(perMinute)} a minute${usual}`;
}

function percentOf(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function joined(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function toFacts(pairs: [label: string, value: string | null][]): Message['facts'] {
  return pairs.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}
