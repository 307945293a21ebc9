import type { StoredEvent } from '../../../server/test/risk/project-life.ts';
import type { Evidence, IncidentDetail } from '../../src/lib/api-types.ts';
import type { Lead } from './incident-lives.ts';
import { type Truth, usersOf } from './incident-truth.ts';

/*
 * Texts that pages and messages have to show for numbers that the test has counted, worded without the code of the pages.
 */

export const events = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'event' : 'events'}`;
export const users = (count: number) => `${count} ${count === 1 ? 'user' : 'users'}`;

export const clockOf = (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16);
/** `26 Nov`. */
export const dayOf = (timeMs: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(timeMs);

/** `26 Nov, 19:40`. */
export const timeOfDay = (timeMs: number) => `${dayOf(timeMs)}, ${clockOf(timeMs)}`;

/** `1.1K`, as in the lists of the overview. */
export const compact = (count: number) =>
  count < 1_000 ? String(count) : `${Math.round(count / 100) / 10}K`;

export function amount(count: number): string {
  if (count >= 9.95) return Math.round(count).toLocaleString('en');
  return count < 0.05 ? 'close to zero' : String(Math.round(count * 10) / 10);
}

const unitOf = (perMinute: number) =>
  perMinute >= 1
    ? { name: 'min', minutes: 1 }
    : perMinute * 60 >= 1
      ? { name: 'h', minutes: 60 }
      : { name: 'day', minutes: 1_440 };

/** `70/min`, `12/h`. */
function rate(perMinute: number): string {
  const { name, minutes } = unitOf(perMinute);
  return perMinute === 0 ? 'none' : `${amount(perMinute * minutes)}/${name}`;
}

/** `usually 0.3`, in the unit of the rate before it. */
function usually(usual: number, beside: number): string {
  if (beside === 0) return `usually ${rate(usual)}`;
  return `usually ${amount(usual * unitOf(beside).minutes)}`;
}

/** Texts about an attached series of an open incident: its count when it joined, the usual one, and the present rate. */
export function attached(
  { rule, observed, expected, peak, windowSeconds }: Evidence['alsoSeries'][number],
  { perMinute, trend }: Pick<Truth, 'perMinute' | 'trend'>,
): { counts: string[]; now: string } {
  const minutes = `${windowSeconds / 60} min`;
  const isShare = rule === 'failed_payments';
  const count = isShare ? percent(observed) : observed.toLocaleString('en');
  const present = [perMinute === 0 ? 'none' : !isShare && rate(perMinute), trend !== 'steady' && trend];
  const now = present.filter(Boolean).join(', ');
  return {
    counts: [
      !isShare && observed === 0 ? `: none for ${minutes}` : `: ${count} in ${minutes}`,
      `usually about ${amount(expected)} in ${minutes}`,
      `usually about ${amount(expected)}`,
      `peak ${amount(peak)}`,
    ],
    now: now === '' ? '' : `, now ${now}`,
  };
}

const percent = (share: number) => `${share < 0.05 ? 0 : amount(share < 2 ? share : Math.round(share))}%`;

/** Spells the unit of a rate out, as in the sentence for screen readers. */
export const spelt = (text: string) =>
  text.replace('/min', ' a minute').replace('/h', ' an hour').replace('/day', ' a day');

/** Describes the rate at the opening: `50/min at first, usually close to zero`; null for a new error. */
export function atFirst({ kind }: Lead, observed: number, usual: number): string[] {
  if (kind === 'group') return [];
  if (kind === 'rule') return [`${rate(observed)} at first`];
  if (kind === 'payments') return [`${percent(observed)} of payments at first`, `usually ${percent(usual)}`];
  return [`${rate(observed)} at first`, usually(usual, observed)];
}

/** Describes the rate now, at the head of an incident that goes on. */
export function now({ kind }: Lead, { perMinute, peak, trend, share }: Truth, usual: number): string[] {
  const { atMs } = peak;
  const extreme = `${rate(peak.perMinute)} at ${clockOf(atMs)}`;
  if (kind === 'payments')
    return [`${percent(share ?? 0)} of payments now`, `usually ${percent(usual)}`, trend];
  if (kind === 'silence') return ['none now', usually(usual, 0)];
  if (kind === 'drop')
    return [`${rate(perMinute)} now`, usually(usual, perMinute), `lowest ${extreme}`, trend];
  return [
    `${rate(perMinute)} now`,
    ...(kind === 'rise' ? [usually(usual, perMinute)] : []),
    `peak ${extreme}`,
    trend,
    ...(share === null ? [] : [`${percent(share)} of ${kind === 'rule' ? 'all' : 'the source’s'} events`]),
  ];
}

/** `26 Nov, 19:40 (2 min 30 s)`, `26 Nov, 19:40 – 19:43 (2 min 30 s)`. */
export function time(sinceMs: number, nowMs: number, isOver: boolean): string {
  const seconds = Math.round((nowMs - sinceMs) / 1_000);
  const parts = [
    [Math.floor(seconds / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  const duration = `(${shown.length === 0 ? '0 s' : shown.join(' ')})`;
  const began = timeOfDay(sinceMs);
  return isOver ? `${began} – ${clockOf(nowMs)} ${duration}` : `${began} ${duration}`;
}

/** Counted events by group, the largest first. */
export function groupsOf(counted: StoredEvent[]): { title: string; share: number; events: StoredEvent[] }[] {
  const titles = new Set(counted.map(({ message }) => message));
  return [...titles]
    .map((title) => ({ title, events: counted.filter(({ message }) => message === title) }))
    .map((group) => ({ ...group, share: Math.round((100 * group.events.length) / counted.length) }))
    .toSorted((one, other) => other.events.length - one.events.length);
}

/** Facts of a group in the list of an incident's groups, before its key; each group here is new and has one release or none. */
export function groupFacts({ share, events: own }: ReturnType<typeof groupsOf>[number]): string[] {
  const [release] = new Set(own.map((event) => event.release));
  const count = usersOf(own);
  return [
    `${share}%`,
    events(own.length),
    ...(count > 0 ? [users(count)] : []),
    ...(release ? [`only in ${release}`] : []),
    'new',
  ];
}

/** Returns the only release of counted events. */
export function releaseOf(counted: StoredEvent[]): string {
  const releases = new Set(counted.map(({ release }) => release));
  return releases.size === 1 ? ([...releases][0] ?? 'none') : 'several';
}

/** `26 failed payments, €519.74`; null if no payment that failed is counted. */
export function payments(counted: StoredEvent[]): string | null {
  const amounts = counted.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0) return null;
  const euros = amounts.reduce((sum, amount) => sum + amount, 0) / 100;
  const said = euros.toLocaleString('en', { minimumFractionDigits: Number.isInteger(euros) ? 0 : 2 });
  return `${amounts.length} failed payments, €${said}`;
}

/** Lines of the service as messages show them. */
export const quoted = (text: string) => text.replaceAll(/`([^`]*)`/g, '“$1”').split('\n');

/** Facts of a message; `Now` alone depends on the moment at which it was composed. */
export function messageFacts(lead: Lead, truth: Truth, incident: IncidentDetail): Record<string, string> {
  const { events: counted } = truth;
  const money = payments(counted);
  const [main] = groupsOf(counted);
  return {
    ...(main && {
      Error: `${main.title} (${main.share}%)`,
      Events: counted.length.toLocaleString('en'),
      Users: String(usersOf(counted)),
    }),
    ...(money !== null && { Payments: money }),
    ...(incident.until === null && { Now: rateInMessage(lead, truth, incident.rate?.usual ?? 0) }),
  };
}

/** `52 a minute, usually 0.3`. */
function rateInMessage({ kind }: Lead, { perMinute, share }: Truth, usual: number): string {
  if (kind === 'payments') return `${percent(share ?? 0)} of payments, usually ${percent(usual)}`;
  const now = perMinute === 0 ? 'none' : `${amount(perMinute)} a minute`;
  return kind === 'group' || kind === 'rule' ? now : `${now}, usually ${amount(usual)}`;
}
