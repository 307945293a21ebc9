import { COUPON, type SentEvent, type Shop, UNIT_PRICE } from '../support/seed-shop.ts';

const MINUTE_MS = 60_000;

/** Answers, counted from the events that were sent. */
export interface Truth {
  /** Events of the incident, oldest first. */
  events: SentEvent[];
  users: number;
  /** Events of the incident by the clock of their minute, `14:05`. */
  minutes: ReadonlyMap<string, number>;
  /** Events of a release of the Storefront, and errors among them. */
  release: (version: string) => { events: number; errors: number };
  /** Kind of the most warnings and errors of all applications. */
  mostFrequent: string;
}

export function countTruth({ sent }: Shop): Truth {
  const storefront = sent.filter(({ application }) => application === 'Storefront');
  const first = storefront.find(({ kind }) => kind === UNIT_PRICE.message);
  if (!first) throw new Error('The deploy went well.');
  const sinceMs = Math.floor(first.atMs / MINUTE_MS) * MINUTE_MS;
  // The incident is about a series, which both errors of the checkout have.
  const events = storefront.filter(
    ({ kind, atMs }) => [UNIT_PRICE.message, COUPON.message].includes(kind) && atMs >= sinceMs,
  );
  const kinds = countBy(
    sent.filter(({ severity }) => severity !== 'INFO'),
    ({ kind }) => kind,
  );
  return {
    events,
    users: new Set(events.map(({ user }) => user)).size,
    minutes: countBy(events, ({ atMs }) => clockOf(atMs)),
    release: (version) => {
      const all = storefront.filter(({ release }) => release === version);
      return { events: all.length, errors: all.filter(({ severity }) => severity === 'ERROR').length };
    },
    mostFrequent: [...kinds].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '',
  };
}

function countBy(events: readonly SentEvent[], keyOf: (event: SentEvent) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const EXACT = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** `14:05`, in the time zone of this machine, which the browser has. */
export const clockOf = (timeMs: number) => CLOCK.format(timeMs);
/** `27 Nov, 14:05`. */
export const minuteOf = (timeMs: number) => `${DAY.format(timeMs)}, ${CLOCK.format(timeMs)}`;
/** `14:05:31.042`. */
export const exactOf = (timeMs: number) => EXACT.format(timeMs);
export const numberOf = (count: number) => count.toLocaleString('en');
