import type { Store } from '../../database/database.ts';
import { isDataError } from '../../database/sql-state.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { RequestSample } from './describe-request.ts';
import { MAX_REFUSED_SAMPLES, MAX_WAITING, mergeCounts, splitCounts } from './late-counts.ts';
import type { NamedSender } from './named-sender.ts';
import type { Sender } from './queries.ts';
import { type RequestCount, type RequestOutcome, writeRequests } from './write-requests.ts';

const INTERVAL_MS = 10_000;
/** Maximum counts and samples between two writes; those of further senders are left out. */
const { counts: MAX_COUNTS, samples: MAX_SAMPLES } = MAX_WAITING;
/** The same of one project, and of all senders that are not known yet: strangers may name any number of them. */
const OF_PROJECT = { counts: 64, samples: 100 };
const OF_NAMED = { counts: 1_000, samples: 200 };
const NAMED = '';
/** Minimum time between two samples of accepted requests of a project by a protocol. */
const ACCEPTED_SAMPLE_MS = 60_000;

type KnownKey = Pick<KeyOwner, 'projectId' | 'keyId'>;

export function declareRequestLoop(requests: RequestCounts, store: Store): LoopDeclaration {
  return {
    name: 'request counts',
    round: async () => {
      await requests.flush(store);
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}

/**
 * Counts requests by sender, protocol and outcome, with samples of some, and writes them every 10 seconds: never a
 * write a request. A process that is killed loses what it counted since. Bounded in counts and samples, also in those
 * of one project and of strangers, and in those that wait for a database that is lost.
 */
export class RequestCounts {
  readonly #monotonicMs: () => number;
  #counts = new Map<string, RequestCount>();
  /** Counts of accepted plain events, by key: this is all that such an event does here. */
  #events = new Map<string, RequestCount>();
  /** Counts that could not be written, oldest first. */
  #late: RequestCount[] = [];
  /** Places that are taken, by project; those of senders that are not known yet are under `NAMED`. */
  #taken = new Map<string, { counts: number; samples: number }>();
  #samples = 0;
  /** Monotonic times of the last samples of accepted requests. */
  readonly #sampledMs = new Map<string, number>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Counts an accepted plain event.
   * @returns false if it is the first one of its key since the last write, which `noteEvent` counts
   */
  addEvent(keyId: string): boolean {
    const known = this.#events.get(keyId);
    if (!known) return false;
    known.quantity++;
    return true;
  }

  noteEvent({ projectId, keyId }: KnownKey, describe: () => RequestSample): void {
    const sender = { projectId, keyId, isAuthenticated: true };
    const count = this.note(sender, { protocol: 'events', reason: null }, describe);
    if (count) this.#events.set(keyId, count);
  }

  /** @param describe called only if the request is one of the samples */
  note(
    sender: Sender | NamedSender,
    outcome: RequestOutcome,
    describe: () => RequestSample,
  ): RequestCount | null {
    const count = this.#find(sender, outcome);
    if (!count) return null;
    count.quantity++;
    if (this.#isSample(count)) {
      this.#samples++;
      this.#takenBy(sender).samples++;
      count.samples.push({ ...describe(), takenMs: this.#monotonicMs() });
    }
    return count;
  }

  /**
   * Writes the counts since the last time, in parts. Those that could not be written are kept for the next time; a part
   * whose data the database refuses would fail again, and is left out.
   */
  async flush(store: Store): Promise<void> {
    const counts = this.#take();
    let failure: unknown = null;
    let written = 0;
    for (const part of splitCounts(counts)) {
      try {
        await writeRequests(store, part, this.#monotonicMs());
      } catch (error) {
        failure = error;
        if (!isDataError(error)) {
          this.#late = counts.slice(written);
          break;
        }
      }
      written += part.length;
    }
    if (failure !== null) throw failure;
  }

  #find(sender: Sender | NamedSender, { protocol, reason }: RequestOutcome): RequestCount | null {
    const isNamed = !('projectId' in sender);
    const subject = isNamed
      ? `? ${sender.hash?.toString('base64') ?? ''} ${sender.prefix} ${sender.number}`
      : `${sender.projectId} ${sender.keyId} ${sender.isAuthenticated}`;
    const key = `${subject} ${protocol} ${reason}`;
    const known = this.#counts.get(key);
    if (known) return known;
    if (this.#counts.size >= MAX_COUNTS) return null;
    const taken = this.#takenBy(sender);
    if (isNamed && taken.counts >= OF_NAMED.counts) return null;
    // Further keys of the project are counted together.
    if (!isNamed && taken.counts >= OF_PROJECT.counts && sender.keyId !== null)
      return this.#find({ ...sender, keyId: null }, { protocol, reason });
    taken.counts++;
    const added = { key, sender, protocol, reason, quantity: 0, samples: [], closedMs: 0 };
    this.#counts.set(key, added);
    return added;
  }

  #isSample({ sender, protocol, reason, samples }: RequestCount): boolean {
    const limit = 'projectId' in sender ? OF_PROJECT : OF_NAMED;
    if (this.#samples >= MAX_SAMPLES || this.#takenBy(sender).samples >= limit.samples) return false;
    if (reason !== null) return samples.length < MAX_REFUSED_SAMPLES;
    if (samples.length > 0) return false;
    const key = `${'projectId' in sender ? sender.projectId : sender.prefix} ${protocol}`;
    const [nowMs, lastMs = -Infinity] = [this.#monotonicMs(), this.#sampledMs.get(key)];
    if (nowMs - lastMs < ACCEPTED_SAMPLE_MS) return false;
    if (this.#sampledMs.size >= MAX_COUNTS) this.#sampledMs.clear();
    this.#sampledMs.set(key, nowMs);
    return true;
  }

  #takenBy(sender: Sender | NamedSender): { counts: number; samples: number } {
    const owner = 'projectId' in sender ? sender.projectId : NAMED;
    const taken = this.#taken.get(owner) ?? { counts: 0, samples: 0 };
    this.#taken.set(owner, taken);
    return taken;
  }

  #take(): RequestCount[] {
    const closedMs = this.#monotonicMs();
    const closed = [...this.#counts.values()].map((count) => ({ ...count, closedMs }));
    const counts = mergeCounts(this.#late, closed);
    this.#late = [];
    this.#counts = new Map();
    this.#events = new Map();
    this.#taken = new Map();
    this.#samples = 0;
    return counts;
  }
}
