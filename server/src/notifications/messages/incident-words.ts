import type { Severity } from '../../events/severity.ts';
import type { Facts, Incident } from '../../incidents/schema.ts';
import { formatAmount, formatPercent } from '../../incidents/wording.ts';
import type { Message } from './message.ts';
import { toLine } from './plain-text.ts';

/** Data about an incident beside its row. */
export interface IncidentExtras {
  /** Last sentence that the service wrote, if there is no evidence. */
  sentence: string | null;
  /** Sentences of the service about a rise of the severity; null: it has not risen, or a person has raised it. */
  worse: string | null;
  /** Title and severity with which it opened; null: they are the present ones. */
  opened: { title: string; severity: Severity } | null;
  /** Name of the user who investigates; null: no user does. */
  investigator: string | null;
  users: Facts['users'] | null;
  failedPayments: Facts['failedPayments'];
  /** Error with most of the events by now, and its share of them; null: none is known. */
  error: { title: string; share: number } | null;
  /** Current rate of the lead; null: the incident is over, or nothing is stored of it. */
  current: Pick<NonNullable<Incident['rate']>, 'observed' | 'unit'> | null;
}

export const NO_EXTRAS: IncidentExtras = {
  sentence: null,
  worse: null,
  opened: null,
  investigator: null,
  users: null,
  failedPayments: null,
  error: null,
  current: null,
};

const LINKS: Record<Incident['links'][number]['name'], string> = {
  alert: 'Alert',
  runbook: 'Runbook',
  silence: 'Silence at source',
  dashboard: 'Dashboard',
};

/** Lists the error with its share, release, users, rate, investigator and links, as far as each is known. */
export function incidentFacts(
  { release, rate, eventCount, investigatorId, links }: Incident,
  { investigator, users, failedPayments, error, current }: IncidentExtras,
): Message['facts'] {
  return toFacts([
    ['Error', error && `${toLine(error.title)} (${Math.round(100 * error.share)}%)`],
    ['Release', release && describeRelease(release)],
    ['Events', eventCount > 0 ? eventCount.toLocaleString('en') : null],
    ['Payments', failedPayments && failedPayments.text],
    [
      'Users',
      users && users.count > 0
        ? `${users.isExact ? '' : 'at least '}${users.count.toLocaleString('en')}`
        : null,
    ],
    ['Now', current && describeRate(current, rate)],
    ['Taken by', investigatorId === null ? null : toLine(investigator ?? 'Former member')],
    ...links.map(({ name, url }): [string, string] => [LINKS[name], url]),
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

function describeRate({ observed, unit }: NonNullable<IncidentExtras['current']>, rate: Incident['rate']) {
  const isPercent = unit === 'percent';
  const now = isPercent ? `${formatPercent(observed)} of payments` : `${formatAmount(observed)} a minute`;
  const usual = rate?.unit === unit ? rate.usual : null;
  const beside = usual === null ? '' : `, usually ${isPercent ? formatPercent(usual) : formatAmount(usual)}`;
  return `${observed === 0 ? 'none' : now}${beside}`;
}

function joined(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function toFacts(pairs: [label: string, value: string | null][]): Message['facts'] {
  return pairs.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}
