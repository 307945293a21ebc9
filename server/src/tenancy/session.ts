import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MakerToken } from './maker-token.ts';
import type { UserRow } from './user.ts';

export const Plan = Type.Enum(['free', 'pro', 'enterprise']);
export type Plan = Static<typeof Plan>;

export const Role = Type.Enum(['OWNER', 'MEMBER']);
export type Role = Static<typeof Role>;

/**
 * Rights of a personal access token; `write` includes `releases` and `silences`, which are for pipelines, and not
 * `admin`, which is for changes that outlive the token.
 */
export const Scope = Type.Enum(['read', 'write', 'releases', 'silences', 'admin']);
export type Scope = Static<typeof Scope>;

/** User and organization of a request, with current rights. All ids are UUIDs. */
export interface Session {
  /** Id of the session's or the token's row. */
  id: string;
  /** Rights of a personal access token; null for a session that a person logged in to. */
  scopes: readonly Scope[] | null;
  /** Personal access token of the request; null for a session that a person logged in to. */
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
