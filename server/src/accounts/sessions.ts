import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newUuid } from '../platform/ids.ts';
import { SESSION_LIFETIME_SECONDS, type TokenSigner } from '../platform/tokens.ts';
import { findSession, insertSession, type Session } from './queries.ts';

const COOKIE = 'session';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of the routes that need a session; null elsewhere. */
    session: Session | null;
  }
}

export interface SessionDependencies {
  pool: Pool;
  clock: Clock;
  tokens: TokenSigner;
  /** Where the dashboard is reached from outside, if that differs from the address of requests. */
  publicUrl: URL | null;
}

/** Makes a session for a user and puts it into the answer's cookie. */
export async function startSession(
  { pool, clock, tokens, publicUrl }: SessionDependencies,
  reply: FastifyReply,
  userId: string,
): Promise<Session> {
  const now = clock.now();
  const sessionId = newUuid(now);
  const expiresAt = new Date(now + SESSION_LIFETIME_SECONDS * 1000);
  await insertSession(pool, { id: sessionId, userId, createdAt: new Date(now), expiresAt });
  const session = await findSession(pool, sessionId, new Date(now));
  if (!session) throw new ApiError('invalid_credentials', 'The account was removed in this moment.');
  const token = await tokens.sign({ userId, sessionId }, now);
  reply.setCookie(COOKIE, token, { ...cookieAttributes(publicUrl), maxAge: SESSION_LIFETIME_SECONDS });
  return session;
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: URL | null): void {
  reply.clearCookie(COOKIE, cookieAttributes(publicUrl));
}

/** The session of a request, read from the database: role and organization are those of this moment. */
export async function authenticate(
  { pool, clock, tokens }: SessionDependencies,
  request: FastifyRequest,
): Promise<Session> {
  const cookie = request.cookies[COOKIE];
  const now = clock.now();
  const token = cookie ? await tokens.verify(cookie, now) : null;
  const session = token && (await findSession(pool, token.sessionId, new Date(now)));
  if (!session || session.user.id !== token.userId) {
    throw new ApiError('unauthenticated', 'Log in first: the request carries no valid session cookie.');
  }
  return session;
}

/** The session within a route that needs one. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session)
    throw new Error(`${request.method} ${request.url} reads a session without asking for one.`);
  return request.session;
}

function cookieAttributes(publicUrl: URL | null) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl?.protocol === 'https:' } as const;
}
