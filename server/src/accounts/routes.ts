import { Type } from 'typebox';
import { OrganizationSummary, toOrganization } from '../organizations/schema.ts';
import { ApiError } from '../platform/errors.ts';
import type { HttpApp } from '../platform/http/app.ts';
import { changePassword } from './change-password.ts';
import { logIn } from './log-in.ts';
import { deleteSession, notifySessionsChanged, type Session } from './queries.ts';
import { ChangePasswordBody, LogInBody, Message, SignUpBody, toUser, User } from './schema.ts';
import { clearSessionCookie, type SessionDependencies, sessionOf, startSession } from './sessions.ts';
import { signUp } from './sign-up.ts';

const tags = ['Accounts'];
const UserAndOrganization = Type.Object({ user: User, organization: OrganizationSummary });

/** Sign-up and login: the only routes of the management API that need no session. */
export function registerPublicAccountRoutes(app: HttpApp, dependencies: SessionDependencies): void {
  const { pool, clock } = dependencies;

  app.post(
    '/auth/signup',
    {
      schema: {
        tags,
        summary: 'Sign up',
        description: 'Makes a user, an organization named after the user, and the OWNER membership.',
        security: [],
        body: SignUpBody,
        response: { 201: UserAndOrganization },
      },
    },
    async (request, reply) => {
      assertPasswordBytes(request.body.password, '/password');
      const userId = await signUp(pool, clock, request.body);
      const session = await startSession(dependencies, reply, userId);
      return reply.code(201).send(describe(session));
    },
  );

  app.post(
    '/auth/login',
    {
      schema: {
        tags,
        summary: 'Log in',
        security: [],
        body: LogInBody,
        response: { 200: UserAndOrganization },
      },
    },
    async (request, reply) => {
      const userId = await logIn(pool, clock, { ...request.body, address: request.ip });
      return describe(await startSession(dependencies, reply, userId));
    },
  );
}

export function registerAccountRoutes(app: HttpApp, dependencies: SessionDependencies): void {
  const { pool, clock, publicUrl } = dependencies;

  app.post(
    '/auth/logout',
    { schema: { tags, summary: 'End the session, in every process', response: { 200: Message } } },
    async (request, reply) => {
      await deleteSession(pool, sessionOf(request).id);
      await notifySessionsChanged(pool);
      clearSessionCookie(reply, publicUrl);
      return { message: 'Logged out.' };
    },
  );

  app.get(
    '/auth/me',
    { schema: { tags, summary: 'Who is logged in', response: { 200: UserAndOrganization } } },
    (request) => describe(sessionOf(request)),
  );

  app.post(
    '/auth/password',
    {
      schema: {
        tags,
        summary: 'Change the password',
        description: 'All other sessions of the user end.',
        body: ChangePasswordBody,
        response: { 200: Message },
      },
    },
    async (request) => {
      assertPasswordBytes(request.body.new, '/new');
      await changePassword(pool, clock, sessionOf(request), request.body);
      return { message: 'The password is changed. All other sessions have ended.' };
    },
  );
}

function describe(session: Session) {
  const { id, name, plan } = toOrganization(session.organization);
  return { user: toUser(session.user), organization: { id, name, plan } };
}

/** The schema counts characters; the bound on what is hashed is in bytes. */
function assertPasswordBytes(password: string, pointer: string): void {
  if (Buffer.byteLength(password) <= 1024) return;
  throw new ApiError('validation_failed', 'The password is longer than 1,024 bytes.', {
    fields: [{ pointer, message: 'must not be longer than 1,024 bytes' }],
  });
}
