import { ApiError } from '../../platform/errors.ts';
import { isWellFormedPingKey } from '../../tenancy/api-keys/key-format.ts';
import { MAX_BODY_BYTES, MAX_SLUG_LENGTH, SLUG_PATTERN } from '../limits.ts';
import type { ReportedStatus } from '../schedule-state.ts';

/** Schedule that a ping names: by the token of its own address, or by a ping key of its project and its slug. */
export interface PingAddress {
  token: string;
  /** Null: the token is that of a schedule. */
  slug: string | null;
}

export interface Ping {
  address: PingAddress;
  status: ReportedStatus;
}

const SLUG = new RegExp(SLUG_PATTERN);
const MAX_EXIT_STATUS = 255;
/** Maximum bytes of a character in UTF-8 after its first one. */
const MAX_CONTINUATION = 3;

/**
 * Reads the parts of an address behind `/ping/`. Behind a ping key the second part is a slug, however it reads.
 * @throws ApiError `not_found`; `validation_failed` for a slug or an exit status that is none
 */
export function readPing(token: string, ...parts: [first?: string, second?: string]): Ping {
  const isKey = isWellFormedPingKey(token);
  const [slug, report] = isKey ? parts : [undefined, parts[0]];
  if (isKey === (slug === undefined) || (!isKey && parts.length > 1)) throw unknownPing();
  const address = { token, slug: slug ?? null };
  if (slug !== undefined && (slug.length > MAX_SLUG_LENGTH || !SLUG.test(slug)))
    throw new ApiError('validation_failed', 'A slug has lower-case letters, digits, “-” and “_” only.');
  return { address, status: report === undefined ? 'ok' : toStatus(report) };
}

function toStatus(report: string): ReportedStatus {
  switch (report) {
    case 'start':
      return 'in_progress';
    case 'fail':
      return 'error';
    case 'log':
      return 'log';
  }
  if (!/^\d+$/.test(report)) throw unknownPing();
  if (Number(report) > MAX_EXIT_STATUS)
    throw new ApiError('validation_failed', `An exit status is a number from 0 to ${MAX_EXIT_STATUS}.`);
  return Number(report) === 0 ? 'ok' : 'error';
}

export function unknownPing(): ApiError {
  return new ApiError('not_found', 'No schedule has this ping address.');
}

/** Returns the end of what a job sent, as text that can be stored; null: nothing. */
export function readOutput(bytes: Buffer): string | null {
  const kept = bytes.subarray(-MAX_BODY_BYTES);
  let start = 0;
  // The cut may be within a character.
  if (kept.length < bytes.length)
    while (start < MAX_CONTINUATION && ((kept[start] ?? 0) & 0xc0) === 0x80) start++;
  return kept.subarray(start).toString().replaceAll('\0', '\u{fffd}') || null;
}
