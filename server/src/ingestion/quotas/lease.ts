import type { Quota } from '../../tenancy/api-keys/quota.ts';

/** Window of time of one limit. */
export interface QuotaWindow {
  /** Project or key that the limit is of. UUID. */
  subjectId: string;
  projectId: string;
  name: keyof Quota;
  periodMs: number;
  startMs: number;
}

/** Numbers of a process about one window. */
export interface WindowReport {
  /** Events that it needs beyond those that it holds. */
  wanted: number;
  /** Events that it held, and has accepted since the last report. */
  used: number;
  /** Events that it held, and returns. */
  returned: number;
  /** Events that it has refused since the last report. */
  refused: number;
}

/** Time after which a process asks again for a window that is used up: others may have given events back. */
const ASK_AGAIN_MS = 1_000;
/** Part of a limit that a process may hold unused while it is not asked for more. */
const HELD_PARTS = 200;

/** Events of a window that this process may take without asking the database. */
export class Lease {
  readonly window: QuotaWindow;
  limit: number;
  /** True once the window has a row. */
  isOpen = false;
  /** Events that requests wait for. */
  demand = 0;
  /** Requests that wait for an answer, and take what it grants once they go on. */
  waiting = 0;
  #left = 0;
  /** True while the database does not answer: events are taken without leave, and counted later. */
  #isUnanswered = false;
  #askAgainMs = Number.NEGATIVE_INFINITY;
  /** Numbers since the last report. */
  #used = 0;
  #refused = 0;
  #isIdle = false;

  constructor(window: QuotaWindow, limit: number) {
    this.window = window;
    this.limit = limit;
  }

  get endMs(): number {
    return this.window.startMs + this.window.periodMs;
  }

  get available(): number {
    return this.#isUnanswered ? Number.POSITIVE_INFINITY : Math.max(0, this.#left);
  }

  /** True if so many events need a question to the database, and it may be asked. */
  isShort(wanted: number, monotonicMs: number): boolean {
    return this.#left < wanted && monotonicMs >= this.#askAgainMs;
  }

  take(events: number): void {
    this.#left -= events;
    this.#used += events;
    this.#isIdle = false;
  }

  giveBack(events: number): void {
    this.take(-events);
  }

  refuse(events: number): void {
    this.#refused += events;
  }

  /** Takes the demand and what was not reported yet. */
  takeReport(): WindowReport {
    const wanted = Math.max(0, this.demand - this.#left);
    this.demand = 0;
    return this.#takeNumbers(wanted, 0);
  }

  /**
   * Takes what was not reported yet, and what is returned since it was not used for a while; null: there is nothing.
   * @param isLast true: all that is held is returned
   */
  takeFinalReport(isLast: boolean): WindowReport | null {
    const mayHold = this.#isIdle || isLast ? 0 : Math.floor(this.limit / HELD_PARTS);
    this.#isIdle = true;
    const returned = this.waiting > 0 ? 0 : Math.max(0, this.#left - mayHold);
    const owed = Math.max(0, -this.#left);
    if (returned + owed + this.#refused === 0 && this.#used === 0) return null;
    this.#left -= returned;
    return this.#takeNumbers(owed, returned);
  }

  grant(granted: number, { wanted }: WindowReport, monotonicMs: number): void {
    this.#left += granted;
    this.#isUnanswered = false;
    const isUsedUp = granted < wanted;
    this.#askAgainMs = isUsedUp ? monotonicMs + ASK_AGAIN_MS : Number.NEGATIVE_INFINITY;
  }

  /** Lets events pass for a while, as the database does not answer. */
  pass(monotonicMs: number): void {
    this.#isUnanswered = true;
    this.#askAgainMs = monotonicMs + ASK_AGAIN_MS;
  }

  /** Takes a report back that the database did not take, and lets events pass meanwhile: their commit needs it as well. */
  restore({ used, refused, returned }: WindowReport, monotonicMs: number): void {
    this.#left += returned;
    this.#used += used;
    this.#refused += refused;
    this.pass(monotonicMs);
  }

  #takeNumbers(wanted: number, returned: number): WindowReport {
    const report = { wanted, returned, used: this.#used, refused: this.#refused };
    this.#used = 0;
    this.#refused = 0;
    return report;
  }
}
