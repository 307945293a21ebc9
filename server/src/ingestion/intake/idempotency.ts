import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';

const MAX_KEY_LENGTH = 255;

type AlertStatus = 'firing' | 'resolved';

/** The claim's key of an `Idempotency-Key` header; null if none is sent. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && header.length <= MAX_KEY_LENGTH) return idempotencyClaimKey(header);
  throw new ApiError(
    'validation_failed',
    `headers/idempotency-key must have at most ${MAX_KEY_LENGTH} characters.`,
    {
      fields: [{ pointer: '/idempotency-key', message: `must have at most ${MAX_KEY_LENGTH} characters` }],
    },
  );
}

/** The claim's key of an `Idempotency-Key`. */
export function idempotencyClaimKey(key: string): string {
  return `key:${key}`;
}

/** The claim's key of an event of Sentry's clients. */
export function sentryClaimKey(eventId: string): string {
  return `sentry:${eventId}`;
}

/** The claim's key of a payment: the processor's id, which identifies the event whatever headers came with it. */
export function paymentClaimKey(id: string): string {
  return `payment:${id}`;
}

/** The claim's key of an OTLP export: exporters send a batch again as it was. */
export function otlpClaimKey(keyId: string, body: Buffer): string {
  return `otlp:${createHash('sha256').update(keyId).update(body).digest('base64url')}`;
}

/** The claim's key of a deploy: a repeat by release and environment is the same deploy. */
export function deployClaimKey(release: string, environment: string | null): string {
  return `deploy:${JSON.stringify([release, environment])}`;
}

/** The claim's key of a request to a hook: by the id that its sender gives it, at each of its attempts. */
export function hookClaimKey({ id, kind }: { id: string; kind: string }, deliveryId: string): string {
  // Ids of Stripe and GitHub are unique anywhere, so that a second hook of the same sender repeats.
  return `hook:${JSON.stringify([kind === 'standard' ? id : kind, deliveryId])}`;
}

/** The claim's key of a CloudEvent: source and id identify it. Hashes, since they may be longer than a key. */
export function cloudEventClaimKey({ source, id }: { source: string; id: string }): string {
  return `${cloudEventClaimPrefix(id)}${hashText(source)}`;
}

/** Returns the beginning that the claims of CloudEvents with an id have, whatever their source. */
export function cloudEventClaimPrefix(id: string): string {
  return `cloudevent:${hashText(id)}.`;
}

/** The claim's key of an alert: it is the same for as long as the alert fires, and once it is over. */
export function alertClaimKey(fingerprint: string, status: AlertStatus, startsAt: string): string {
  return `${alertClaimPrefix(fingerprint, status)}${JSON.stringify(startsAt)}]`;
}

/** Returns the beginning that the claims of an alert in a status have; the latest start is the last key. */
export function alertClaimPrefix(fingerprint: string, status: AlertStatus): string {
  return `alert:[${JSON.stringify(fingerprint)},"${status}",`;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
