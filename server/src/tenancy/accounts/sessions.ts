import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Store, Transaction } from '../../database/database.ts';
import { plainAddress } from '../../http/client-address.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Session } from '../session.ts';
import { findSession, notifySessionsChanged } from '../session-queries.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import { deleteOldestSessions, insertSession } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { SESSION_LIFETIME_SECONDS, type TokenSigner } from './tokens.ts';

const COOKIE = 'session';
/** Maximum sessions of a user; a further login ends the oldest one. */
const MAX_SESSIONS = 50;
/** A sibling domain can set a cookie of the same name before ours, so the second one is tried, too. */
const MAX_COOKIES_TRIED = 2;

export interface SessionDependencies extends Store {
  tokens: TokenSigner;
  /** Public address of the dashboard, if it differs from the address of requests. */
  publicUrl: URL | null;
}

export interface NewSession {
  id: string;
  userId: string;
}

/** Creates a session, in a transaction that has checked that the user may have one. */
export async function openSession(
  transaction: Transaction,
  userId: string,
  origin: SessionOrigin,
): Promise<NewSession> {
  const nowMs = transaction.now();
  const id = newUuid(nowMs);
  const expiresAt = new Date(nowMs + SESSION_LIFETIME_SECONDS * 1000);
  await insertSession(transaction, { id, userId, createdAt: new Date(nowMs), expiresAt, origin });
  const ended = await deleteOldestSessions(transaction, userId, MAX_SESSIONS);
  if (ended > 0) await notifySessionsChanged(transaction);
  return { id, userId };
}

/** Sets the cookie of a new session, and reads its user and organization. */
export async function sendSession(
  { pool, clock, tokens, publicUrl }: SessionDependencies,
  reply: FastifyReply,
  { id, userId }: NewSession,
): Promise<Session> {
  const now = clock.now();
  const session = await findSession(pool, id, new Date(now));
  if (!session) throw new ApiError(ACCOUNT_ERRORS.invalid_credentials, 'This account has just been removed.');
  const token = tokens.sign({ userId, sessionId: id }, now);
  reply.setCookie(COOKIE, token, { ...cookieAttributes(publicUrl), maxAge: SESSION_LIFETIME_SECONDS });
  return session;
}

const MAX_USER_AGENT = 200;

/** Origin of a request as the list of sessions shows it. */
export function originOf(request: FastifyRequest): SessionOrigin {
  // Node decodes headers as latin1, so cutting splits no character.
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
  return { address: plainAddress(request.ip), userAgent };
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: URL | null): void {
  reply.clearCookie(COOKIE, cookieAttributes(publicUrl));
}

/** Returns the session of a request, read from the database with the current role and organization. */
export async function authenticate(
  { pool, clock, tokens }: SessionDependencies,
  request: FastifyRequest,
): Promise<Session> {
  const now = confirmedTime(clock);
  for (const cookie of cookiesNamed(COOKIE, request.headers.cookie).slice(0, MAX_COOKIES_TRIED)) {
    const token = tokens.verify(cookie, now);
    const session = token && (await findSession(pool, token.sessionId, new Date(now)));
    if (session && session.user.id === token.userId) return session;
  }
  throw new ApiError(
    'unauthenticated',
    'Log in first: the request carries neither a valid session cookie nor an access token.',
  );
}

/** The values of all cookies of a name, in the order of the header. */
function cookiesNamed(name: string, header = ''): string[] {
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1).replaceAll(/^"|"$/g, ''));
}

export function cookieAttributes(publicUrl: URL | null) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl?.protocol === 'https:' } as const;
}
