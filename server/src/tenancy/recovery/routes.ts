import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { addressKey } from '../../http/client-address.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import type { AssertNewPassword } from '../accounts/password-policy.ts';
import type { PasswordHasher } from '../accounts/passwords.ts';
import { Message } from '../accounts/schema.ts';
import type { AddressLimit } from '../address-limit.ts';
import { dashboardLink, PATH_HINT } from '../dashboard-link.ts';
import { assertOwner } from '../organizations/change-members.ts';
import { sessionOf } from '../session.ts';
import { RECOVERY_LIFETIME_MS } from './issue-link.ts';
import { makeMemberLink } from './make-member-link.ts';
import type { RecoveryMail } from './recovery-mail.ts';
import { NewPasswordByLink, RecoveryLink, RecoveryLookup, RecoveryOffer, ResetRequest } from './schema.ts';
import { requireRecoveryLink, setPasswordByLink } from './set-password.ts';
import { turnOffMemberTotp } from './turn-off-member-totp.ts';

interface RecoveryDependencies extends Store {
  passwords: PasswordHasher;
  assertNewPassword: AssertNewPassword;
  publicUrl: URL | null;
  /** Null: the service sends no mail. */
  recoveryMail: RecoveryMail | null;
}

const route = routesOf<RecoveryDependencies & { limit: AddressLimit }>('Accounts');

export const publicRecoveryRoutes = [
  route.post('/auth/password-reset', {
    summary: 'Ask for a link to set a new password, by mail',
    description:
      'The answer is the same whether or not there is such an account, and whether or not the service sends mail (see `/auth/options`). At most 3 mails an hour for an account.',
    security: [],
    body: ResetRequest,
    answer: Message,
    status: 202,
    handle: async (request, { recoveryMail, limit }) => {
      limit(request);
      recoveryMail?.requestLink(request.body.email);
      return { message: 'If that account exists, we’ve sent a link. Check your spam folder.' };
    },
  }),

  route.post('/auth/password-reset/lookup', {
    summary: 'Read whose password a recovery link sets',
    description: 'Changes nothing, and is no GET, so that the token is in no address.',
    security: [],
    body: RecoveryLookup,
    answer: RecoveryOffer,
    handle: async (request, { pool, clock, limit }) => {
      limit(request);
      const nowMs = confirmedTime(clock);
      const { email, expiresAt } = await requireRecoveryLink(pool, request.body.token, nowMs);
      return { email, expiresAt: isoTime(allowedUntil(expiresAt.getTime(), RECOVERY_LIFETIME_MS, nowMs)) };
    },
  }),

  route.post('/auth/password-reset/confirm', {
    summary: 'Set a new password by a recovery link',
    description:
      'The link ends, and so do all sessions of the user; access tokens go on, unless `revokeTokens` is true. Starts no session: log in with the new password.',
    security: [],
    body: NewPasswordByLink,
    answer: Message,
    handle: async (request, dependencies) => {
      const { token, password, revokeTokens = false } = request.body;
      dependencies.assertNewPassword(password, '/password');
      dependencies.limit(request);
      const address = addressKey(request.ip);
      const { email } = await setPasswordByLink(dependencies, { token, password, revokeTokens, address });
      dependencies.recoveryMail?.notifyOfReset(email);
      return { message: 'Password changed. All sessions have ended: log in with the new password.' };
    },
  }),
];

const ofMembers = routesOf<RecoveryDependencies>('Organizations');

export const recoveryRoutes = [
  ofMembers.post('/organizations/:orgId/members/:userId/recovery-link', {
    summary: 'Make a link by which a member sets a new password',
    description:
      'For OWNERs, for other members. Valid for 30 minutes, once, and while the OWNER is one; a new link replaces it. The member gets a notice.',
    params: Type.Object({ orgId: IdText, userId: IdText }),
    answer: RecoveryLink,
    status: 201,
    handle: async (request, { publicUrl, recoveryMail, ...store }) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { token, expiresAt, email } = await makeMemberLink(store, session, request.params.userId);
      recoveryMail?.notifyOfLink(email, session.user.name);
      return {
        url: dashboardLink(publicUrl, 'reset', token),
        hint: publicUrl ? null : PATH_HINT,
        expiresAt: isoTime(expiresAt),
      };
    },
  }),

  ofMembers.delete('/organizations/:orgId/members/:userId/totp', {
    summary: 'Turn off a member’s two-factor authentication',
    description:
      'For OWNERs, for other members who lost their app and their recovery codes. The member gets a notice.',
    params: Type.Object({ orgId: IdText, userId: IdText }),
    handle: async (request, store) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      await turnOffMemberTotp(store, session, request.params.userId);
    },
  }),
];
