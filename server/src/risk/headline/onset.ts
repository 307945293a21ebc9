import type { MinuteEvents } from '../../events/read-types.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { silentMinutes } from './words.ts';

/** Counts that are searched for the beginning of a change. */
export interface OnsetRequest {
  counts: readonly MinuteEvents[];
  /** Beginning of the search. */
  fromMs: number;
  /** Window of the alarm, whose end is exclusive. */
  window: { fromMs: number; toMs: number };
  usualPerMinute: number;
  /** Mean of the window. */
  observedPerMinute: number;
}

/** Minimum excess of a minute over the usual count, in standard deviations of a Poisson count. */
const DEVIATIONS = 2;
/** Minimum excess if next to nothing is usual: half an event. */
const MIN_EXCESS = 0.5;

/**
 * The first minute of an excess: it begins the largest sum, up to the end of the window, of the minutes' excess over
 * the usual count and two deviations of it (the maximum likelihood estimate of a change point by cumulative sums, Page
 * 1954), or over the middle between the usual and the observed count where that is less: in a long window, no single
 * minute need stand out. Null: no minute has an excess.
 */
export function findRiseOnset(request: OnsetRequest): number | null {
  const { usualPerMinute, observedPerMinute } = request;
  const clear = usualPerMinute + Math.max(MIN_EXCESS, DEVIATIONS * Math.sqrt(usualPerMinute));
  const middle = (usualPerMinute + Math.max(usualPerMinute, observedPerMinute)) / 2;
  return findOnset(request, (events) => events - Math.min(clear, middle));
}

/**
 * The same for an absence: below the middle between the usual and the observed count. Null also if the counts have no
 * event, since nothing was there to drop.
 */
export function findDropOnset({ counts, ...request }: OnsetRequest): number | null {
  const [first] = counts;
  if (!first) return null;
  const { usualPerMinute, observedPerMinute } = request;
  const fromMs = Math.max(request.fromMs, first.minuteMs);
  return findOnset(
    { ...request, counts, fromMs },
    (events) => (usualPerMinute + observedPerMinute) / 2 - events,
  );
}

/** The first minute from that of a time on with an event; null: none has one. */
export function findFirst(counts: readonly MinuteEvents[], fromMs: number): number | null {
  const minuteMs = minuteOf(fromMs);
  return counts.find((each) => each.minuteMs >= minuteMs && each.events > 0)?.minuteMs ?? null;
}

function findOnset(
  { counts, fromMs, window }: OnsetRequest,
  scoreOf: (events: number) => number,
): number | null {
  const events = new Map(counts.map((each) => [each.minuteMs, each.events]));
  const firstMs = minuteOf(fromMs);
  const lastMs = minuteOf(window.toMs - 1);
  let best: { sum: number; minuteMs: number } | null = null;
  let sum = 0;
  for (let minuteMs = lastMs; minuteMs >= firstMs; minuteMs -= MINUTE_MS) {
    sum += scoreOf(events.get(minuteMs) ?? 0);
    // The minutes between are as usual: anything before them, and before the window, is another change.
    if (sum < 0 && best && minuteMs < window.fromMs) break;
    if (sum > (best?.sum ?? 0)) best = { sum, minuteMs };
  }
  return best?.minuteMs ?? null;
}

/** Minimum time before the window that showed an excess in which its beginning is searched. */
const MIN_BEFORE_MS = HOUR_MS / 2;
const MAX_BEFORE_MS = 24 * HOUR_MS;

/** First minute of the counts that are searched for the onset of an alarm. */
export function searchFrom({ fromMs, toMs }: OnsetRequest['window']): number {
  return minuteOf(fromMs - Math.min(MAX_BEFORE_MS, Math.max(MIN_BEFORE_MS, toMs - fromMs)));
}

/** The minute of an alarm's onset, by the counts of its lead; of a silence, its last event. Null: they do not show it. */
export function onsetOf(
  { anomaly }: Pick<OpenedAlarm, 'anomaly'>,
  counts: readonly MinuteEvents[],
  window: OnsetRequest['window'],
): number | null {
  if (anomaly.rule === 'silence') return silentMinutes(anomaly) === undefined ? null : window.fromMs;
  return ONSETS[anomaly.rule]({ counts, fromMs: searchFrom(window), window, ...ratesOf(anomaly) });
}

const ofFirst = ({ counts, window }: OnsetRequest) => findFirst(counts, window.fromMs);
const ofRise = (request: OnsetRequest) => findRiseOnset(request) ?? ofFirst(request);

const ONSETS: Record<
  Exclude<OpenedAlarm['anomaly']['rule'], 'silence'>,
  (request: OnsetRequest) => number | null
> = {
  rise: ofRise,
  failed_payments: ofRise,
  error_share: ofRise,
  at_least: ofFirst,
  above_share: ofFirst,
  new_kind: ofFirst,
  drop: findDropOnset,
};

/** Usual and observed events a minute; for shares, failures. */
function ratesOf({ rule, observed, expected, windowMinutes, exposure }: OpenedAlarm['anomaly']) {
  const isShare = rule === 'failed_payments' || rule === 'error_share';
  // Rounds of an earlier program have the share alone.
  if (isShare && !exposure) return { usualPerMinute: 0, observedPerMinute: Number.POSITIVE_INFINITY };
  const { usualShare, events, failures } = exposure ?? { usualShare: 0, events: 0, failures: 0 };
  const [of, usual] = isShare ? [failures, usualShare * events] : [observed, expected];
  return { usualPerMinute: usual / windowMinutes, observedPerMinute: of / windowMinutes };
}
