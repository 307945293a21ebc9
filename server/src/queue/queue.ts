import type { Severity } from '../events/severity.ts';

/** An event between its acknowledgement and the event store, in the form of the queue. */
export interface QueuedEvent {
  /** UUIDv7 whose time is capturedAt; the job has the same. */
  id: string;
  projectId: string;
  /** ISO 8601. */
  receivedAt: string;
  severity: Severity;
  type: string;
  source: string | null;
  message: string;
  correlationId: string;
  fingerprint: string;
  /** Number of the algorithm behind it. */
  fingerprintVersion: number;
  /**
   * Fingerprint by the algorithm before, where it differs: known errors and groups stay known by it. Queued by the
   * ingestion of a version with a new algorithm, beside which this version may store during an update.
   */
  formerFingerprint?: string;
  release: string | null;
  correlation: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** Whether a payment failed, whatever its severity; absent for all that is no payment. */
  failedPayment?: boolean;
}

/** A deploy on the same way: an element of a batch that is no event. */
export interface QueuedDeploy {
  /** UUIDv7 whose time is that of receipt; the job has the same. */
  id: string;
  projectId: string;
  /** ISO 8601. */
  receivedAt: string;
  deploy: {
    release: string;
    environment: string;
    /** ISO 8601. */
    at: string;
  };
}

/** The events of one request: one, or the valid lines of a bulk body. */
export interface IntakeItem {
  projectId: string;
  /** The API key that the request came with. UUID. */
  keyId: string;
  /** The events (or deploys) as JSON texts. */
  events: string[];
  /** Set if a repeat of the request must be recognised. */
  claim: Claim | null;
}

export interface Claim {
  /** Unique within the project for 30 days. */
  key: string;
  jobId: string;
  /** The data of the whole answer, if it holds more than one job. */
  answer: unknown;
}

/**
 * `queued`: the item is durable. `repeated`: an earlier one has its claim. `refused`: its key is no longer valid. The
 * last two add nothing.
 */
export type AppendResult =
  | { status: 'queued' }
  | { status: 'repeated'; claim: Claim }
  | { status: 'refused' };

/**
 * Holds accepted events until they are stored: the seam for another queue.
 */
export interface IntakeQueue {
  /**
   * Makes a batch durable in one commit: once this resolves no crash loses it. If it rejects, nothing may
   * be acknowledged (whether the commit took place is then unknown). The commit also asks whether the keys
   * are valid: what was revoked before `append` was called is refused.
   * @returns one result an item, in order
   */
  append(items: IntakeItem[]): Promise<AppendResult[]>;
}
