import { addressKey } from '../../http/client-address.ts';
import { routesOf } from '../../http/route.ts';
import { isoTime } from '../../platform/time.ts';
import { countRecoveryCodes, findFactor } from '../second-factor/queries.ts';
import { sessionOf } from '../session.ts';
import {
  ActivateTotpBody,
  ConfirmationBody,
  EnrolTotpBody,
  Message,
  RecoveryCodes,
  TotpSecret,
  TotpStatus,
} from './schema.ts';
import { activateTotp, disableTotp, enrolTotp, replaceCodes, type TotpDependencies } from './set-up-totp.ts';

const route = routesOf<TotpDependencies>('Accounts');

export const totpRoutes = [
  route.get('/auth/totp', {
    summary: 'State of two-factor authentication',
    description: 'Tells since when your logins need a code, and how many recovery codes are left.',
    answer: TotpStatus,
    handle: async (request, { pool }) => {
      const userId = sessionOf(request).user.id;
      const factor = await findFactor(pool, userId);
      const { activatedAt = null } = factor ?? {};
      return {
        active: activatedAt !== null,
        activatedAt: activatedAt && isoTime(activatedAt),
        recoveryCodesLeft: activatedAt ? await countRecoveryCodes(pool, userId) : 0,
      };
    },
  }),

  route.post('/auth/totp/enrol', {
    summary: 'Make the secret of an authenticator app',
    description:
      'Replaces one that was not activated. Logins need a code only after `POST /auth/totp/activate`, within an hour.',
    body: EnrolTotpBody,
    answer: TotpSecret,
    status: 201,
    handle: async (request, dependencies) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return await enrolTotp(dependencies, sessionOf(request), input);
    },
  }),

  route.post('/auth/totp/activate', {
    summary: 'Turn two-factor authentication on with the first code of the app',
    description: 'Answers with ten recovery codes, once. All other sessions of the user end.',
    body: ActivateTotpBody,
    answer: RecoveryCodes,
    handle: async (request, dependencies) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return { recoveryCodes: await activateTotp(dependencies, sessionOf(request), input) };
    },
  }),

  route.post('/auth/totp/recovery-codes', {
    summary: 'Replace the recovery codes',
    description: 'The former ones end. Answers with ten new ones, once.',
    body: ConfirmationBody,
    answer: RecoveryCodes,
    handle: async (request, dependencies) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return { recoveryCodes: await replaceCodes(dependencies, sessionOf(request), input) };
    },
  }),

  route.post('/auth/totp/disable', {
    summary: 'Turn two-factor authentication off',
    description: 'Needs the password and a code, and removes the secret and the recovery codes.',
    body: ConfirmationBody,
    answer: Message,
    handle: async (request, dependencies) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      await disableTotp(dependencies, sessionOf(request), input);
      return { message: 'Two-factor authentication is off.' };
    },
  }),
];
