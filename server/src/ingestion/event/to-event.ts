import { foldEnvironment } from '../../environments/fold-environment.ts';
import type { EventChange } from '../../events/schema.ts';
import { isErrorOrWorse, type Severity } from '../../events/severity.ts';
import { newUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { QueuedEvent } from '../../queue/queue.ts';
import { type ScrubSettings, scrub } from '../../scrubbing/scrub.ts';
import type { Cause } from './causes.ts';
import { findCorrelationId } from './correlation.ts';
import { FINGERPRINT_VERSION, fingerprint } from './fingerprint.ts';
import { readAmount } from './payment-amount.ts';
import type { Correlation } from './schema.ts';

/** Type of payments, whichever endpoint they come by. */
const PAYMENT = 'payment';

/** Common fields of the four kinds of requests once they were read. */
export interface Observation {
  type: string;
  severity: Severity;
  source: string | null;
  message: string;
  /** Set by a payment's notice; for other events of the type `payment` the severity decides. */
  failedPayment?: boolean;
  payload: Record<string, unknown>;
  correlation: Correlation | undefined;
  release?: string | undefined;
  /** As the sender wrote it; absent or blank: that of the project. */
  environment?: string | undefined;
  /** Milliseconds; the time of receipt if the sender gave none. */
  capturedAtMs?: number | undefined;
  /** The sender's own fingerprint. */
  fingerprint?: readonly string[] | undefined;
  /** Status of the answer that a server error led to. */
  statusCode?: number;
  stack?: string | null;
  /** True for an alert of another system. */
  isAlert?: true;
  /** Parts that the reader of the request left out, shortened or corrected. */
  changed?: readonly EventChange[] | undefined;
  cause?: Cause | undefined;
}

/**
 * Converts an observation to the queued event: with id, fingerprint and correlation id. The one way into the queue and the
 * spool, so that no secret that `scrub` finds becomes durable; what is derived is derived afterwards.
 * @param settings choices of the project about secrets; absent: those of default
 */
export function toQueuedEvent(
  projectId: string,
  observed: Observation,
  receivedAtMs: number,
  settings?: ScrubSettings,
): QueuedEvent {
  const { fields: observation, counts } = scrub(observed, settings);
  const { type, severity, source, message, payload, environment, correlation = {} } = observation;
  const kind = fingerprint(observation);
  const isPayment = type === PAYMENT && !observation.isAlert;
  const money = isPayment ? readAmount(payload) : null;
  // Sorted as `jsonb` sorts keys, by length and then by bytes: the worker reads the event without sorting them.
  return {
    id: newUuid(observation.capturedAtMs ?? receivedAtMs),
    type,
    ...(money && { amount: money.amount }),
    source,
    changed: observation.changed,
    isAlert: observation.isAlert,
    message,
    payload,
    release: observation.release ?? null,
    ...(money && { currency: money.currency }),
    // No key at all where it is undefined.
    scrubbed: counts ?? undefined,
    severity,
    projectId,
    receivedAt: isoTime(receivedAtMs),
    correlation,
    environment: environment && foldEnvironment(environment),
    fingerprint: kind,
    correlationId: findCorrelationId(correlation) ?? kind,
    ...(isPayment && { failedPayment: observation.failedPayment ?? isErrorOrWorse(severity) }),
    fingerprintVersion: FINGERPRINT_VERSION,
  };
}
