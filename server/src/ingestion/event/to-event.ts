import { isErrorOrWorse, type Severity } from '../../events/severity.ts';
import { newUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { QueuedEvent } from '../../queue/queue.ts';
import { findCorrelationId } from './correlation.ts';
import { fingerprint } from './fingerprint.ts';
import type { Correlation } from './schema.ts';
import type { StackFrame } from './stack-frames.ts';

/** The type of payments, whichever endpoint they come by. */
const PAYMENT = 'payment';

/** What the four kinds of request have in common once they were read. */
export interface Observation {
  type: string;
  severity: Severity;
  source: string | null;
  message: string;
  /** Set by a payment's notice; of other events of the type `payment` the severity says it. */
  failedPayment?: boolean;
  payload: Record<string, unknown>;
  correlation: Correlation | undefined;
  release?: string | undefined;
  /** Milliseconds; the time of receipt where the sender gave none. */
  capturedAtMs?: number | undefined;
  frames?: StackFrame[];
}

/** An observation as the event that is queued: with id, fingerprint and correlation id. */
export function toQueuedEvent(
  projectId: string,
  observation: Observation,
  receivedAtMs: number,
): QueuedEvent {
  const { type, severity, source, message, payload, correlation = {}, frames } = observation;
  const kind = fingerprint(type, source, message, frames);
  return {
    id: newUuid(observation.capturedAtMs ?? receivedAtMs),
    projectId,
    receivedAt: isoTime(receivedAtMs),
    severity,
    type,
    source,
    message,
    correlationId: findCorrelationId(correlation) ?? kind,
    fingerprint: kind,
    release: observation.release ?? null,
    correlation,
    payload,
    ...(type === PAYMENT && { failedPayment: observation.failedPayment ?? isErrorOrWorse(severity) }),
  };
}
