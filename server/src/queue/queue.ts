import type { Transaction } from '../database/database.ts';
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
  /** Version of its algorithm. */
  fingerprintVersion: number;
  /**
   * Fingerprint by the former algorithm, if it differs: known errors and groups stay known by it. Queued by the
   * ingestion of a version with a new algorithm, beside which this version may store during an update.
   */
  formerFingerprint?: string;
  release: string | null;
  /** Folded name; absent: that of the project. */
  environment?: string | undefined;
  correlation: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** Parts that ingestion left out, shortened or corrected; absent for an event as sent. */
  changed?: readonly string[] | undefined;
  /** Number of secrets that ingestion replaced, by rule; absent: none. */
  scrubbed?: object | undefined;
  /** True if a payment failed, whatever its severity; absent for other events. */
  failedPayment?: boolean;
  /** Amount of a payment in the smallest unit of its currency; absent if it is unknown. */
  amount?: number;
  /** Three letters in upper case; absent without an amount. */
  currency?: string;
  /** True for an alert of another system, which is no evidence of its own; absent for other events. */
  isAlert?: boolean | undefined;
}

/** A deploy on the same path: an element of a batch that is not an event. */
export interface QueuedDeploy {
  /** UUIDv7 whose time is that of receipt; the job has the same. */
  id: string;
  projectId: string;
  /** ISO 8601. */
  receivedAt: string;
  /** Folded name; null: the project's own. */
  environment: string | null;
  deploy: {
    release: string;
    /** ISO 8601. */
    at: string;
  };
}

/** A notification of alerts on the same path: an element of a batch that is not an event. */
export interface QueuedAlerts {
  /** UUIDv7 whose time is that of receipt. */
  id: string;
  projectId: string;
  /** ISO 8601. */
  receivedAt: string;
  /** Alert group as the notification shows it. */
  alerts: object;
}

/** Events of one request: one, or the valid lines of a bulk body. */
export interface IntakeItem {
  projectId: string;
  /** API key of the request. UUID. */
  keyId: string;
  /** Events (or deploys, or notifications of alerts) as JSON texts. */
  events: string[];
  /** Set if a repeat of the request must be recognised. */
  claim: Claim | null;
}

export interface Claim {
  /** Key that is unique within the project for 30 days. */
  key: string;
  jobId: string;
  /** Data of the whole answer, if it has more than one job. */
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

/** Holds accepted events until they are stored: the interface for another queue. */
export interface IntakeQueue {
  /**
   * Makes a batch durable in one commit: once this resolves no crash loses it. If it rejects, nothing may be
   * acknowledged (it is then unknown if the commit took place). The commit also asks if the keys are valid: a key
   * revoked before `append` was called is refused.
   * @returns one result an item, in order
   */
  append(items: IntakeItem[]): Promise<AppendResult[]>;
}

/** A queue that also takes what waited on disk. */
export interface SpoolableQueue extends IntakeQueue {
  /**
   * As `append`, for items that waited on disk while no batch could be committed. A repeat is counted neither as
   * accepted nor as a duplicate: what it repeats may be the same request.
   * @param settle writes what follows from the results, in the same commit
   */
  appendSpooled(
    items: IntakeItem[],
    settle: (transaction: Transaction, results: AppendResult[]) => Promise<void>,
  ): Promise<AppendResult[]>;
}
