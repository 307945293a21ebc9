import {
  beat,
  createHeartbeat,
  type Heartbeat,
  type HeartbeatChange,
  passTime,
  stayAlive,
} from './heartbeat.ts';

/** What sends more often a minute is told by its counts within a minute or two. */
const MOST_EVENTS_A_MINUTE = 30;

/** Heartbeats by the number of their series. */
export type Heartbeats = [number, Heartbeat][];

/** The beats of a project's series, for those that are rare enough to need it. */
export class BeatWatch {
  readonly #heartbeats: Map<number, Heartbeat>;

  constructor(saved: Heartbeats) {
    this.#heartbeats = new Map(saved);
  }

  /** @param level events a minute that are expected of the series */
  count(series: number, timeMs: number, level: number): HeartbeatChange | null {
    let heartbeat = this.#heartbeats.get(series);
    if (level > MOST_EVENTS_A_MINUTE) {
      this.#heartbeats.delete(series);
      return heartbeat && heartbeat.missing !== -1 ? { kind: 'returned' } : null;
    }
    if (!heartbeat) {
      heartbeat = createHeartbeat(timeMs);
      this.#heartbeats.set(series, heartbeat);
    }
    return beat(heartbeat, timeMs);
  }

  /** An event came too late to be a beat, but its sender is not silent. */
  stayAlive(series: number, timeMs: number): HeartbeatChange | null {
    const heartbeat = this.#heartbeats.get(series);
    return heartbeat ? stayAlive(heartbeat, timeMs) : null;
  }

  /** The number belongs to another series now. */
  forget(series: number): void {
    this.#heartbeats.delete(series);
  }

  /** @param shareOf a series' share of the budget a week */
  passTime(
    timeMs: number,
    isKnown: boolean,
    shareOf: (series: number) => number,
    report: (series: number, change: HeartbeatChange) => void,
  ): void {
    for (const [series, heartbeat] of this.#heartbeats) {
      const change = passTime(heartbeat, timeMs, isKnown, shareOf(series));
      if (change) report(series, change);
    }
  }

  save(): Heartbeats {
    return [...this.#heartbeats];
  }
}
