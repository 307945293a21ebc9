import type { Static } from 'typebox';
import { toApiError } from '../../http/error-handling.ts';
import { createBodyCheck } from '../../http/validation.ts';
import { ApiError } from '../../platform/errors.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { CustomEventBody, toSeverity } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';

const MAX_AGE_MS = 7 * 24 * 60 * 60_000;
const MAX_AHEAD_MS = 5 * 60_000;

const findProblem = createBodyCheck(CustomEventBody);

/**
 * Validates a value that the framework did not validate, and reads it as a custom event.
 * @throws ApiError `validation_failed` if it does not fit the schema, or as `fromCustomEvent`
 */
export function readCustomEvent(value: unknown, receivedAtMs: number): Observation {
  const problem = findProblem(value);
  if (problem) throw toApiError(problem);
  return fromCustomEvent(value as Static<typeof CustomEventBody>, receivedAtMs);
}

/** @throws ApiError `validation_failed` if `capturedAt` is older than 7 days or over 5 minutes ahead */
export function fromCustomEvent(body: Static<typeof CustomEventBody>, receivedAtMs: number): Observation {
  return {
    type: body.type,
    severity: toSeverity(body.severity),
    source: body.source ?? null,
    message: body.message,
    payload: body.payload ?? {},
    correlation: body.correlation,
    release: body.release,
    environment: body.environment,
    fingerprint: body.fingerprint,
    capturedAtMs: body.capturedAt === undefined ? undefined : readCapturedAt(body.capturedAt, receivedAtMs),
  };
}

/** True if an event that was received at this time may have been captured at that one. */
export function isCredibleCapture(capturedAtMs: number, receivedAtMs: number): boolean {
  return capturedAtMs >= receivedAtMs - MAX_AGE_MS && capturedAtMs <= receivedAtMs + MAX_AHEAD_MS;
}

/** Returns the credible time of capture that is the nearest to the sender's. */
export function clampCapture(capturedAtMs: number, receivedAtMs: number): number {
  if (isCredibleCapture(capturedAtMs, receivedAtMs)) return capturedAtMs;
  return capturedAtMs > receivedAtMs ? receivedAtMs : receivedAtMs - MAX_AGE_MS;
}

function readCapturedAt(text: string, receivedAtMs: number): number {
  const capturedAtMs = parseIsoTime(text) ?? Number.NaN;
  if (isCredibleCapture(capturedAtMs, receivedAtMs)) return capturedAtMs;
  const message = 'must be at most 7 days old and at most 5 minutes ahead';
  throw new ApiError('validation_failed', `body/capturedAt ${message}.`, {
    fields: [{ pointer: '/capturedAt', message }],
  });
}
