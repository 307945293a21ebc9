import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HookKind } from '../../tenancy/api-keys/hooks/schema.ts';

/** Maximum age of a signature; by Standard Webhooks also the most that it may be ahead. */
const TOLERANCE_SECONDS = 300;

/** A request as it arrived. */
export interface SignedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  nowMs: number;
}

type FindFault = (request: SignedRequest, keys: readonly Buffer[]) => string | null;

const WRONG = 'The signature does not fit the body and the secret of this hook.';
const TOO_OLD = `The signature is older than ${TOLERANCE_SECONDS} seconds: it is a replay, or a clock is wrong.`;
const TOO_NEW = `The signature is more than ${TOLERANCE_SECONDS} seconds ahead: a clock is wrong.`;
const missing = (header: string) => `The header ${header} is missing or malformed.`;

const FIND_FAULT: Record<HookKind, FindFault> = {
  stripe: ({ headers, body, nowMs }, keys) => {
    const pairs = textOf(headers['stripe-signature'])
      .split(',')
      .map((pair) => pair.trim().split('='));
    const time = pairs.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = pairs.flatMap(([name, value = '']) => (name === 'v1' ? [fromHex(value)] : []));
    if (!isTime(time) || signatures.length === 0) return missing('Stripe-Signature');
    if (!isSigned(keys, [`${time}.`, body], signatures)) return WRONG;
    // The time of the signature: Stripe signs each retry again, days after the event. A time ahead is no replay.
    return isOlder(time, nowMs) ? TOO_OLD : null;
  },
  github: ({ headers, body }, keys) => {
    const [, digits] = /^sha256=([\da-f]{64})$/i.exec(textOf(headers['x-hub-signature-256'])) ?? [];
    if (digits === undefined) return missing('X-Hub-Signature-256');
    return isSigned(keys, [body], [fromHex(digits)]) ? null : WRONG;
  },
  standard: ({ headers, body, nowMs }, keys) => {
    const [id, time, list] = ['id', 'timestamp', 'signature'].map((name) => standardHeader(headers, name));
    const signatures = (list ?? '')
      .split(' ')
      .flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []));
    if (!id) return missing('webhook-id');
    if (time === undefined || !isTime(time)) return missing('webhook-timestamp');
    if (signatures.length === 0) return missing('webhook-signature');
    if (!isSigned(keys, [`${id}.${time}.`, body], signatures)) return WRONG;
    if (isOlder(time, nowMs)) return TOO_OLD;
    return Number(time) - nowMs / 1_000 > TOLERANCE_SECONDS ? TOO_NEW : null;
  },
};

/**
 * Verifies the signature of a request over its raw bytes, in constant time for each secret and signature.
 * @param keys signing keys, any of which may have signed it
 * @returns the sentence for its sender; null: it is signed
 */
export function findSignatureFault(
  kind: HookKind,
  request: SignedRequest,
  keys: readonly Buffer[],
): string | null {
  return FIND_FAULT[kind](request, keys);
}

/** Returns a header of Standard Webhooks, or of Svix, which sends the same ones by other names. */
export function standardHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  return textOf(headers[`webhook-${name}`] ?? headers[`svix-${name}`]) || undefined;
}

function isSigned(keys: readonly Buffer[], content: (string | Buffer)[], signatures: Buffer[]): boolean {
  return keys.some((key) => {
    const hmac = createHmac('sha256', key);
    for (const part of content) hmac.update(part);
    const expected = hmac.digest();
    return signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
}

function isTime(text: string): boolean {
  return /^\d{1,12}$/.test(text);
}

function isOlder(seconds: string, nowMs: number): boolean {
  return nowMs / 1_000 - Number(seconds) > TOLERANCE_SECONDS;
}

function fromHex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
