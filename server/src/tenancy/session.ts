import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MakerToken } from './maker-token.ts';
import type { UserRow } from './user.ts';

export const Plan = Type.Enum(['free', 'pro', 'enterprise']);
export type Plan = Static<typeof Plan>;

export const Role = Type.Enum(['OWNER', 'MEMBER']);
export type Role = Static<typeof Role>;

/**
 * What a personal access token may be allowed; `write` includes `releases` and `silences`, which are for pipelines, and not
 * `admin`, which is for what outlives the token.
 */
export const Scope = Type.Enum(['read', 'write', 'releases', 'silences', 'admin']);
export type Scope = Static<typeof Scope>;

/** The user and the organization of a request, with rights as they are now. All ids are UUIDs. */
export interface Session {
  /** Of the row of the session, or of the token. */
  id: string;
  /** What a personal access token allows; null for a session that a person logged in to. */
  scopes: readonly Scope[] | null;
  /** The personal access token of the request; null for a session that a person logged in to. */
  token: MakerToken | null;
  user: UserRow;
  role: Role;
  organizationId: string;
  organization: { id: string; name: string; plan: Plan; createdAt: Date };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of the routes that need a session; null elsewhere. */
    session: Session | null;
  }
}

/** The session within a route that needs one. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session)
    throw new Error(`${request.method} ${request.url} reads a session without asking for one.`);
  return request.session;
}
