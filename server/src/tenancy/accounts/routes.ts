import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { addressKey, plainAddress } from '../../http/client-address.ts';
import { routesOf } from '../../http/route.ts';
import { type Clock, confirmedTime } from '../../platform/clock.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { toId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type AddressLimit, createAddressLimit } from '../address-limit.ts';
import { OrganizationSummary, toOrganization } from '../organizations/schema.ts';
import { type Session, sessionOf } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { toUser, User } from '../user.ts';
import { changeName } from './change-name.ts';
import { changePassword } from './change-password.ts';
import { DEVICE_LIFETIME_SECONDS, type DeviceCookie } from './device-cookie.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import { type LogInOutcome, logIn } from './log-in.ts';
import type { AccountMetrics } from './metrics.ts';
import type { AssertNewPassword } from './password-policy.ts';
import type { PasswordHasher } from './passwords.ts';
import { deleteSession } from './queries.ts';
import { ChangePasswordBody, LogInBody, Message, SignUpBody, UserPatch } from './schema.ts';
import {
  clearSessionCookie,
  cookieAttributes,
  originOf,
  type SessionDependencies,
  sendSession,
} from './sessions.ts';
import { signUp } from './sign-up.ts';
import { readSignUpOptions, SignUpMode } from './sign-up-policy.ts';

const UserAndOrganization = Type.Object({ user: User, organization: OrganizationSummary });

interface AccountDependencies extends SessionDependencies {
  passwords: PasswordHasher;
  assertNewPassword: AssertNewPassword;
  signUpMode: SignUpMode;
  /** True if a forgotten password can be reset by mail. */
  sendsMail: boolean;
  devices: DeviceCookie;
  encryption: Encryption;
  log: Log;
  metrics: AccountMetrics;
}

const DEVICE_COOKIE = 'device';

const open = routesOf<AccountDependencies & { limitSignUps: AddressLimit }>('Accounts');

/** Sign-up and login: the only routes of the management API that need no session. */
export const publicAccountRoutes = [
  open.get('/auth/options', {
    summary: 'Available ways to sign up and to reset a password',
    description:
      'For the login page. The first user of an installation can always sign up: until then `hasUsers` is false.',
    security: [],
    answer: Type.Object({ signUp: SignUpMode, hasUsers: Type.Boolean(), passwordReset: Type.Boolean() }),
    handle: async (_request, dependencies) => ({
      ...(await readSignUpOptions(dependencies.pool, dependencies.signUpMode)),
      passwordReset: dependencies.sendsMail,
    }),
  }),

  open.post('/auth/signup', {
    summary: 'Sign up',
    description:
      'Makes a user, an organization named after the user, and the OWNER membership; with an invitation, a user in its organization.',
    security: [],
    body: SignUpBody,
    answer: UserAndOrganization,
    status: 201,
    handle: async (request, dependencies, reply) => {
      dependencies.assertNewPassword(request.body.password, '/password');
      dependencies.limitSignUps(request);
      const opened = await signUp(dependencies, { ...request.body, ...whereFrom(request) });
      return describe(await sendSession(dependencies, reply, opened));
    },
  }),

  open.post('/auth/login', {
    summary: 'Log in',
    description:
      'With two-factor authentication the right password without `code` is refused as `totp_required`: send all three.',
    security: [],
    body: LogInBody,
    answer: UserAndOrganization,
    handle: async (request, dependencies, reply) => {
      const device = request.cookies[DEVICE_COOKIE];
      const outcome = await logIn(dependencies, { ...request.body, ...whereFrom(request), device });
      noteLogin(dependencies, request, outcome);
      if (outcome.result !== 'succeeded') throw outcome.refusal;
      const session = await sendSession(dependencies, reply, outcome.session);
      rememberDevice(dependencies, request, reply, outcome.userId);
      return describe(session);
    },
  }),
];

export function createSignUpLimit(clock: Clock): AddressLimit {
  return createAddressLimit(
    clock,
    ACCOUNT_ERRORS.too_many_signups,
    'Too many sign-ups from this address. Try again soon.',
  );
}

function whereFrom(request: FastifyRequest) {
  return { address: addressKey(request.ip), origin: originOf(request) };
}

function rememberDevice(
  { devices, clock, publicUrl }: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): void {
  const content = devices.write(request.cookies[DEVICE_COOKIE], userId, confirmedTime(clock));
  const attributes = { ...cookieAttributes(publicUrl), path: '/auth', maxAge: DEVICE_LIFETIME_SECONDS };
  reply.setCookie(DEVICE_COOKIE, content, attributes);
}

/** Logs without the address that was typed: people type passwords into that field. */
function noteLogin(
  { log, metrics }: AccountDependencies,
  request: FastifyRequest,
  { result, userId }: LogInOutcome,
): void {
  metrics.logins.inc({ result });
  log.info(
    {
      requestId: request.id,
      userId: userId && toId('usr', userId),
      address: plainAddress(request.ip),
      result,
    },
    'login',
  );
}

const route = routesOf<AccountDependencies>('Accounts');

export const accountRoutes = [
  route.post('/auth/logout', {
    summary: 'End the session, in every process',
    description: 'Clears the cookie too. Access tokens go on.',
    answer: Message,
    handle: async (request, { pool, publicUrl }, reply) => {
      await deleteSession(pool, sessionOf(request).id);
      await notifySessionsChanged(pool);
      clearSessionCookie(reply, publicUrl);
      return { message: 'Logged out.' };
    },
  }),

  route.get('/auth/me', {
    summary: 'The logged-in user',
    description:
      'With the organization of the session. Every access token may ask this, whatever its scopes.',
    answer: UserAndOrganization,
    handle: (request) => describe(sessionOf(request)),
  }),

  route.patch('/auth/me', {
    summary: 'Change your name',
    description: 'Everyone sees the new one at once; messages that were sent keep the old one.',
    body: UserPatch,
    answer: UserAndOrganization,
    handle: async (request, dependencies) =>
      describe(await changeName(dependencies, sessionOf(request), request.body.name)),
  }),

  route.post('/auth/password', {
    summary: 'Change the password',
    description:
      'All other sessions of the user end; this one goes on under a new cookie. Access tokens go on, unless `revokeTokens` is true.',
    body: ChangePasswordBody,
    answer: Message,
    handle: async (request, dependencies, reply) => {
      dependencies.assertNewPassword(request.body.new, '/new');
      const { revokeTokens = false, ...passwords } = request.body;
      const input = { ...passwords, revokeTokens, ...whereFrom(request) };
      await sendSession(dependencies, reply, await changePassword(dependencies, sessionOf(request), input));
      return {
        message: `Password changed. Your other sessions have ended${revokeTokens ? ', and your access tokens are revoked' : ''}.`,
      };
    },
  }),
];

function describe(session: Session) {
  const { id, name, plan } = toOrganization(session.organization);
  return { user: toUser(session.user), organization: { id, name, plan } };
}
