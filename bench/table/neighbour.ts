import { percentile } from '../support/median.ts';
import { type PacedEvent, sendPaced } from '../support/paced.ts';
import { EVENT } from './event.ts';
import type { Row } from './row.ts';

const EVENTS_A_SECOND = 500;
/** Time for which the events of a neighbour are measured before something is removed. */
export const BEFORE_SECONDS = 20;

/** Sends events of another project at a steady rate until `end`, which returns them. */
export function startNeighbour(
  ingestionUrl: string,
  apiKey: string,
  rate = EVENTS_A_SECOND,
): { end: () => Promise<PacedEvent[]> } {
  const ended = new AbortController();
  const url = `${ingestionUrl}/ingest/events`;
  const sending = sendPaced({ url, apiKey, rate, bodyOf: () => EVENT }, ended.signal);
  return {
    end: () => {
      ended.abort();
      return sending;
    },
  };
}

interface Removal {
  /** Time at which it was asked for: the events before it are compared. */
  askedAt: number;
  beganAt: number;
  endedAt: number;
}

/** Returns the row of the p99 of a neighbour's events while something is removed, over before. */
export function toNeighbourRow(
  when: string,
  sent: readonly PacedEvent[],
  { askedAt, beganAt, endedAt }: Removal,
): Row {
  const waits = (fromMs: number, toMs: number) =>
    sent.filter(({ sentAt }) => sentAt >= fromMs && sentAt < toMs).map(({ elapsedMs }) => elapsedMs);
  const before = waits(askedAt - BEFORE_SECONDS * 900, askedAt);
  const during = waits(beganAt, endedAt);
  const [p99Before, p99During] = [percentile(before, 0.99), percentile(during, 0.99)];
  const longest = during.reduce((max, one) => Math.max(max, one), 0);
  return {
    what: `… p99 of another project’s events ${when}, over before`,
    value: p99During / p99Before,
    unit: '×',
    bar: { atMost: 1.5 },
    detail: `${p99During.toFixed(1)} over ${p99Before.toFixed(1)} ms at ${EVENTS_A_SECOND} a second; p50 ${percentile(during, 0.5).toFixed(1)} over ${percentile(before, 0.5).toFixed(1)}, longest ${longest.toFixed(0)} ms`,
  };
}
