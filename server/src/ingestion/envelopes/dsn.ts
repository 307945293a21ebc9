import type { FastifyRequest } from 'fastify';
import { toApiError } from '../../http/error-handling.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { toRefusal, unknownDsn } from './answers.ts';
import { toText } from './json-values.ts';

/** DSN of a request. */
export interface Dsn {
  number: string;
  /** Null: the request names no key. */
  rawKey: string | null;
}

const AUTH_KEY = /(?:^|[\s,])sentry_key\s*=\s*"?(\w{1,200})/;

/** Key in the query or the headers of a request. */
export function findRequestKey({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): string | null {
  // The type of a query without a schema is unknown.
  const asked = (query as Record<string, unknown>).sentry_key;
  if (typeof asked === 'string') return asked;
  for (const header of [headers['x-sentry-auth'], headers.authorization]) {
    const key = AUTH_KEY.exec(String(header ?? ''))?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

/**
 * Reads the DSN in an envelope. Old ones have a secret beside the key, which counts for nothing.
 * @param number project of the address that the envelope came to; that of the DSN must be the same
 */
export function parseDsn(value: unknown, number: string): Dsn {
  const text = toText(value);
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  return { number, rawKey: url?.pathname.endsWith(`/${number}`) ? url.username : null };
}

/**
 * Owner of the key of a DSN, which may have been revoked since its last look-up: the commit asks that. A key that is
 * unknown and one of another project lead to the same refusal.
 * @throws ApiError `invalid_dsn`
 */
export async function findDsnOwner(authentication: KeyAuthentication, dsn: Dsn): Promise<KeyOwner> {
  const known = authentication.knownOwner(dsn.rawKey ?? undefined);
  return known ? assertNumber(known, dsn) : requireDsnOwner(authentication, dsn);
}

/** As `findDsnOwner`, of a key that is valid now. */
export async function requireDsnOwner(authentication: KeyAuthentication, dsn: Dsn): Promise<KeyOwner> {
  try {
    return assertNumber(await authentication.requireOwner(dsn.rawKey ?? undefined), dsn);
  } catch (error) {
    throw toRefusal(toApiError(error));
  }
}

function assertNumber(owner: KeyOwner, { number }: Dsn): KeyOwner {
  if (String(owner.projectNumber) !== number) throw toRefusal(unknownDsn());
  return owner;
}
