import { cleanCorrelation } from './correlation.ts';
import { describe } from './describe.ts';
import { cleanFingerprint } from './fingerprint.ts';
import { type Json, toJson } from './json.ts';
import {
  MAX_ENVIRONMENT_LENGTH,
  MAX_EVENT_BYTES,
  MAX_JSON_DEPTH,
  MAX_MESSAGE_LENGTH,
  MAX_RELEASE_LENGTH,
  MAX_SOURCE_LENGTH,
  MAX_TIME_AHEAD_MS,
  MAX_TIME_BEHIND_MS,
  MAX_TYPE_LENGTH,
} from './limits.ts';
import { attempt, isObject, read } from './read.ts';
import { utf8Bytes } from './utf8.ts';

/**
 * Returns the body of `POST /ingest/events`, without the time. Unusable values are replaced, so that no event is
 * lost for its form: the type by `custom`, the severity by `ERROR`, the message by `(no message)`.
 */
export function eventJson(options: unknown, environment?: string): string {
  const event = {
    type: eventType(options),
    severity: severity(read(options, 'severity')),
    message: optionalText(read(options, 'message'), MAX_MESSAGE_LENGTH) ?? '(no message)',
    source: optionalText(read(options, 'source'), MAX_SOURCE_LENGTH),
    release: optionalText(read(options, 'release'), MAX_RELEASE_LENGTH),
    environment: environmentOf(options, environment),
    correlation: cleanCorrelation(read(options, 'correlation')),
    fingerprint: cleanFingerprint(read(options, 'fingerprint')),
  };
  const payload = cleanPayload(read(options, 'payload'));
  const json = JSON.stringify({ ...event, payload });
  // A code unit takes at most three bytes.
  if (json.length * 3 <= MAX_EVENT_BYTES || utf8Bytes(json) <= MAX_EVENT_BYTES) return json;
  return JSON.stringify({ ...event, payload: TRUNCATED });
}

/** Returns the environment that a call names, else that of its client. */
export function environmentOf(options: unknown, environment: string | undefined): string | undefined {
  return optionalText(read(options, 'environment'), MAX_ENVIRONMENT_LENGTH) ?? environment;
}

export function eventType(options: unknown): string {
  return optionalText(read(options, 'type'), MAX_TYPE_LENGTH) ?? 'custom';
}

/** Returns the event's own time in milliseconds since the epoch; undefined if none was given that the server accepts. */
export function ownTimeMs(options: unknown, nowMs: number): number | undefined {
  return timeWithin(read(options, 'capturedAt'), nowMs, MAX_TIME_BEHIND_MS);
}

/** Returns a time in milliseconds if it parses and is recent enough; otherwise undefined. */
export function timeWithin(given: unknown, nowMs: number, maxBehindMs: number): number | undefined {
  if (typeof given !== 'string' && !isObject(given)) return undefined;
  const timeMs = attempt(() => new Date(given as string | Date).getTime()) ?? Number.NaN;
  return timeMs >= nowMs - maxBehindMs && timeMs <= nowMs + MAX_TIME_AHEAD_MS ? timeMs : undefined;
}

const SEVERITIES = new Map([
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
  ['critical', 'CRITICAL'],
  // Names in other libraries.
  ['debug', 'INFO'],
  ['warning', 'WARN'],
  ['fatal', 'CRITICAL'],
]);

function severity(given: unknown): string {
  const name = typeof given === 'string' ? given.slice(0, 16).trim().toLowerCase() : '';
  return SEVERITIES.get(name) ?? 'ERROR';
}

/** Returns a cleaned text; undefined if nothing readable is left. */
export function optionalText(value: unknown, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = describe(value, maxLength);
  return text.trim() === '' ? undefined : text;
}

const TRUNCATED = { truncated: true, reason: 'With its payload the event is larger than 1 MiB.' };

function cleanPayload(payload: unknown): Json | undefined {
  if (payload === undefined || payload === null) return undefined;
  // The event itself is one level.
  const plain = toJson(payload, { maxDepth: MAX_JSON_DEPTH - 1, maxCharacters: MAX_EVENT_BYTES });
  if (plain === null) return TRUNCATED;
  return isObject(plain.json) && !Array.isArray(plain.json) ? plain.json : { value: plain.json };
}
