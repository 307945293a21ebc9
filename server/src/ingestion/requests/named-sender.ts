import type { IncomingHttpHeaders } from 'node:http';
import { hashIngestSecret, shownBeginningOf } from '../../tenancy/api-keys/key-format.ts';
import { readAuthorization } from '../authentication/authenticate.ts';
import { findRequestKey } from '../envelopes/dsn.ts';

/** Sender that a request names. Nothing of it is checked. */
export interface NamedSender {
  /** Hash of a key that may be valid. */
  hash: Buffer | null;
  /** First characters of the key. */
  prefix: string | null;
  /** Number of the project in a DSN. */
  number: number | null;
}

/** Parts of a request that name its sender. */
export interface NamingRequest {
  url: string;
  headers: IncomingHttpHeaders;
  query?: unknown;
  /** DSN that the body of the request holds. */
  dsn?: { rawKey: string | null } | null;
}

const ADDRESS_TOKEN = /^\/(?:hooks|ping|api\/push)\/(\w+)/;
const CRON_KEY = /^\/api\/\d+\/cron\/[^/]+\/(\w+)/;
const NUMBER = /^\/(?:api|t)\/(\d{1,9})(?:[/?]|$)/;

/** Returns the sender that a request names; null: it names none. */
export function findNamedSender(request: NamingRequest): NamedSender | null {
  const key = findKey(request) ?? '';
  const prefix = shownBeginningOf(key);
  const number = NUMBER.exec(request.url)?.[1];
  if (prefix === null && number === undefined) return null;
  return {
    hash: hashIngestSecret(key),
    prefix,
    number: number === undefined ? null : Number(number),
  };
}

function findKey({ url, headers, query = {}, dsn }: NamingRequest): string | null {
  const own = headers['x-api-key'];
  const inAddress = (ADDRESS_TOKEN.exec(url) ?? CRON_KEY.exec(url))?.[1];
  const found = inAddress ?? dsn?.rawKey ?? (typeof own === 'string' ? own : null);
  return found ?? findRequestKey({ query, headers }) ?? readAuthorization(headers.authorization) ?? null;
}
