import type { FastifyRequest } from 'fastify';
import type { Store } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { heldUntil } from '../../platform/stored-times.ts';
import { hashSecret } from '../secret-format.ts';
import type { Session } from '../session.ts';
import { TOKEN_ERRORS } from './errors.ts';
import { findTokenSession, updateTokenLastUsed } from './queries.ts';
import { isWellFormedToken } from './token-format.ts';

const BEARER = /^bearer(?: +|$)(.*)/i;
/** Precision of `last_used_at`, which limits the writes of a token that is in constant use. */
const LAST_USED_STEP_MS = 60_000;

/**
 * Returns the session of a request with `Authorization: Bearer`, with current rights; null without such a header.
 * Another scheme belongs to a proxy before the service. A bad token is refused even beside a good cookie: a program
 * that sends one means it.
 *
 * Guarantee: a request that begins after the token was revoked, or its user has left, is answered 401 in every
 * process.
 * @throws ApiError `invalid_token`
 */
export async function authenticateToken(
  { pool, clock }: Store,
  { headers, url }: FastifyRequest,
): Promise<Session | null> {
  const bearer = BEARER.exec(headers.authorization ?? '');
  if (!bearer) {
    // A search for leaked tokens has them in its query, with a session.
    if (headers.cookie === undefined && url.includes('tsn_pat_'))
      throw refuse(
        'Send the token in the header Authorization: addresses are logged on their way. Revoke it.',
      );
    return null;
  }
  const token = (bearer[1] ?? '').trim();
  if (!isWellFormedToken(token))
    throw refuse('The access token is not valid: it does not have the form of one.');
  const now = clock.now();
  const found = await findTokenSession(pool, hashSecret(token), new Date(confirmedTime(clock)));
  if (!found) throw refuse('The access token is unknown, expired or revoked, or its user has left.');
  const { lastUsedAt, ...session } = found;
  if (
    lastUsedAt === null ||
    heldUntil(lastUsedAt.getTime() + LAST_USED_STEP_MS, LAST_USED_STEP_MS, now) <= now
  )
    await updateTokenLastUsed(pool, session.id, new Date(now));
  return session;
}

function refuse(detail: string): ApiError {
  return new ApiError(TOKEN_ERRORS.invalid_token, detail, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
