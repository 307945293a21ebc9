import { KeyedQueue, type QueueOptions, type Refusal } from '../../platform/keyed-queue.ts';
import { refusePlace } from '../intake/refuse-place.ts';

/** Bodies that are decompressed and read at a time; the others wait as they were sent. */
const READING_QUEUE: QueueOptions = {
  maxRunning: 4,
  maxWaiting: 8_192,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxShare: 1 / 2,
};
/** Interval at which requests that wait for a place try again. */
const POLL_MS = 50;
/** Maximum requests that try again at a time: a body takes its place only once it has arrived. */
const MAX_RETRIES = 64;
/** Maximum bytes of the bodies that wait for a place. */
const MAX_PATIENT_BYTES = 32 * 1024 * 1024;
/** Length that a body is expected to have if its client does not say it. */
const EXPECTED_BYTES = 64 * 1024;

/** Time for which a request still waits, for all that it waits for together. */
export interface Patience {
  leftMs: number;
}

interface Patient {
  key: string;
  bytes: number;
  patience: Patience;
  retry: () => void;
}

/**
 * Queue in which the bodies of requests wait to be read. Their clients lose what is refused, so a request without a place
 * waits for one: before its body is read, which stays in the socket, or with its body, in a bounded number of bytes.
 */
export class ReadingQueue {
  readonly #queue: KeyedQueue;
  readonly #pollMs: number;
  readonly #patients = new Set<Patient>();
  #patientBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits = READING_QUEUE, pollMs = POLL_MS) {
    this.#queue = new KeyedQueue(limits);
    this.#pollMs = pollMs;
  }

  /**
   * Resolves when there is a place for a body that is not read yet.
   * @param length length of the body in bytes as its client says; undefined: it does not
   * @throws ApiError `project_over_share` or `unavailable`, once its patience has ended
   */
  async waitForPlace(key: string, length: string | undefined, patience: Patience): Promise<void> {
    const bytes = Number(length ?? EXPECTED_BYTES);
    for (let wait; (wait = this.#waitIfRefused({ key, bytes, patience })); ) await wait;
  }

  /** Runs the work on a body when its turn comes, also if its client has left. @throws as `waitForPlace` */
  async run<T>(body: { key: string; bytes: number; patience: Patience }, work: () => Promise<T>): Promise<T> {
    const { key, bytes } = body;
    for (let wait; (wait = this.#waitIfRefused(body, bytes)); ) await wait;
    return this.#queue.run({ key, bytes, refuse }, work);
  }

  /** Returns null if there is a place. */
  #waitIfRefused(
    { key, bytes, patience }: { key: string; bytes: number; patience: Patience },
    heldBytes = 0,
  ): Promise<void> | null {
    const refusal = this.#queue.findRefusal(key, bytes);
    if (!refusal) return null;
    if (patience.leftMs <= 0 || this.#patientBytes + heldBytes > MAX_PATIENT_BYTES) throw refuse(refusal);
    this.#patientBytes += heldBytes;
    return new Promise<void>((resolve) => {
      this.#patients.add({ key, bytes, patience, retry: resolve });
      this.#timer ??= setInterval(() => this.#retry(), this.#pollMs);
    }).finally(() => (this.#patientBytes -= heldBytes));
  }

  /** Lets those try again who may have a place, and those whose patience has ended. */
  #retry(): void {
    let retries = 0;
    for (const patient of this.#patients) {
      const { key, bytes, patience } = patient;
      patience.leftMs -= this.#pollMs;
      const isFree = retries < MAX_RETRIES && this.#queue.findRefusal(key, bytes) === null;
      if (!isFree && patience.leftMs > 0) continue;
      retries++;
      this.#patients.delete(patient);
      patient.retry();
    }
    if (this.#patients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function refuse(refusal: Refusal): Error {
  return refusePlace(refusal, 'Too many envelopes wait to be read.');
}
