import { upsertLiveness } from '../../server/src/queue/liveness-queries.ts';
import { evaluatedUntil, QUICK_PACE, queueEmptied } from '../../server/test/risk/support.ts';
import { StillClock } from '../../server/test/support/clock.ts';
import { startTestService, type TestService } from '../../server/test/support/service.ts';

/** Ingestion settles for a second before a minute is complete: a minute is over for the detectors this long after its end. */
const AFTER_MINUTE_MS = 2_000;

/**
 * All roles of the service in this process, on a clock that only this class sets forward. Receipt times, liveness,
 * rounds of detection and sessions go by that clock; intervals between rounds and polls remain real.
 */
export class AcceleratedService {
  readonly service: TestService;
  readonly clock: StillClock;

  private constructor(service: TestService, clock: StillClock) {
    this.service = service;
    this.clock = clock;
  }

  static async start(startMs: number): Promise<AcceleratedService> {
    const clock = new StillClock(startMs);
    return new AcceleratedService(await startTestService({ clock, riskPace: QUICK_PACE }), clock);
  }

  /**
   * Lets minutes pass, and returns when the detectors have evaluated them. Ingestion reports its liveness when the events
   * of all of them are stored: a report in between would close minutes of which events still stand in the queue.
   * @param send sends a minute's events; the clock is set to the time at which they are received
   */
  async pass(minutes: number[], { startOf, send }: Sending): Promise<void> {
    const { pool, processId } = this.service.context;
    await upsertLiveness(pool, processId, new Date(this.clock.now()));
    const endMs = startOf((minutes.at(-1) ?? 0) + 1) + AFTER_MINUTE_MS;
    const client = await this.service.database.pool.connect();
    try {
      await client.query('BEGIN');
      // The presence loop of the ingestion role waits; rounds of detection read beside the lock.
      await client.query('LOCK TABLE intake_presence IN EXCLUSIVE MODE');
      for (const minute of minutes) {
        await send(minute, (receivedMs) => this.#setTo(receivedMs));
      }
      await queueEmptied(this.service);
      this.#setTo(endMs);
      await client.query(
        `UPDATE intake_presence SET until = $2, told_at = clock_timestamp() WHERE (process_id, since) =
          (SELECT process_id, since FROM intake_presence WHERE process_id = $1 ORDER BY until DESC LIMIT 1)`,
        [processId, new Date(endMs)],
      );
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    // A report of the presence loop that waited for the lock has an older time: the newest report counts.
    await upsertLiveness(pool, processId, new Date(endMs));
    await evaluatedUntil(this.service, endMs - AFTER_MINUTE_MS);
  }

  #setTo(timeMs: number): void {
    this.clock.advance(Math.max(0, timeMs - this.clock.now()));
  }
}

interface Sending {
  /** The beginning of a minute in milliseconds. */
  startOf: (minute: number) => number;
  send: (minute: number, setClock: (receivedMs: number) => void) => Promise<void>;
}
