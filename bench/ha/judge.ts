import type { Fault } from './faults.ts';
import type { SentEvent } from './load.ts';

/** An interruption is one of at least this length: shorter ones are those of a busy machine. */
export const MIN_INTERRUPTION_MS = 2_000;

/** Comparison of the ledger outside of the system with the stored events. */
export interface Comparison {
  sent: number;
  acknowledged: number;
  /** Acknowledged and not stored. */
  lost: number;
  /** Stored more than once. */
  twice: number;
  /** Stored without an acknowledgement: the outcome was unknown to the sender. */
  unacknowledged: number;
}

/** @param stored number of stored events by id */
export function compare(sent: SentEvent[], stored: ReadonlyMap<string, number>): Comparison {
  const countOf = ({ id }: SentEvent) => stored.get(id) ?? 0;
  return {
    sent: sent.length,
    acknowledged: sent.filter(({ isAcknowledged }) => isAcknowledged).length,
    lost: sent.filter((event) => event.isAcknowledged && countOf(event) === 0).length,
    twice: sent.filter((event) => countOf(event) > 1).length,
    unacknowledged: sent.filter((event) => !event.isAcknowledged && countOf(event) > 0).length,
  };
}

/**
 * Returns the time at which the last interruption ends, of all processes: null where one of them does not answer again,
 * `since` where there is none.
 * @param answeredAt ascending times of each process
 */
export function endOfInterruption(answeredAt: number[][], since: number, until: number): number | null {
  let end = since;
  for (const times of answeredAt) {
    let before = times.findLast((at) => at <= since) ?? since;
    for (const at of times.filter((each) => each > since && each <= until)) {
      if (at - before >= MIN_INTERRUPTION_MS) end = Math.max(end, at);
      before = at;
    }
    if (until - before >= MIN_INTERRUPTION_MS) return null;
  }
  return end;
}

/** True if a majority of etcd, two copies and the way to them were there at that time. */
export interface ConditionSample {
  at: number;
  holds: boolean;
}

/**
 * Returns when intake has to be back; null if the conditions were never seen to hold again. They break with two bad
 * samples in a row, since a single one may be a slow answer, and hold again with the first good one: later bad samples
 * do not move the bar.
 * @param samples ascending, of a fault that breaks the conditions; otherwise empty
 */
export function dueAt(
  faultAt: number,
  { barSeconds, againSeconds = 0 }: Pick<Fault, 'barSeconds' | 'againSeconds'>,
  samples: ConditionSample[],
): number | null {
  const bar = faultAt + barSeconds * 1_000;
  const broken = samples.findIndex(({ holds }, place) => !holds && samples[place + 1]?.holds === false);
  if (broken < 0) return bar;
  const again = samples.slice(broken).find(({ holds }) => holds);
  return again ? Math.max(bar, again.at + againSeconds * 1_000) : null;
}
