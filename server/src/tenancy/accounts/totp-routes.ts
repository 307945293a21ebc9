import type { HttpApp } from '../../http/app.ts';
import { addressKey } from '../../http/client-address.ts';
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

const tags = ['Accounts'];

export function registerTotpRoutes(app: HttpApp, dependencies: TotpDependencies): void {
  const { pool } = dependencies;
  app.get(
    '/auth/totp',
    {
      schema: {
        tags,
        summary: 'Whether your logins need a one-time code',
        response: { 200: TotpStatus },
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const factor = await findFactor(pool, userId);
      const { activatedAt = null } = factor ?? {};
      return {
        active: activatedAt !== null,
        activatedAt: activatedAt && isoTime(activatedAt),
        recoveryCodesLeft: activatedAt ? await countRecoveryCodes(pool, userId) : 0,
      };
    },
  );

  app.post(
    '/auth/totp/enrol',
    {
      schema: {
        tags,
        summary: 'Make the secret of an authenticator app',
        description:
          'Replaces one that was not activated. Logins need a code only after `POST /auth/totp/activate`, within an hour.',
        body: EnrolTotpBody,
        response: { 201: TotpSecret },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return reply.code(201).send(await enrolTotp(dependencies, sessionOf(request), input));
    },
  );

  app.post(
    '/auth/totp/activate',
    {
      schema: {
        tags,
        summary: 'Turn two-factor authentication on with the first code of the app',
        description: 'Answers with ten recovery codes, once. All other sessions of the user end.',
        body: ActivateTotpBody,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return { recoveryCodes: await activateTotp(dependencies, sessionOf(request), input) };
    },
  );

  app.post(
    '/auth/totp/recovery-codes',
    {
      schema: {
        tags,
        summary: 'Replace the recovery codes',
        description: 'The former ones end. Answers with ten new ones, once.',
        body: ConfirmationBody,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      return { recoveryCodes: await replaceCodes(dependencies, sessionOf(request), input) };
    },
  );

  app.post(
    '/auth/totp/disable',
    {
      schema: {
        tags,
        summary: 'Turn two-factor authentication off',
        body: ConfirmationBody,
        response: { 200: Message },
      },
    },
    async (request) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      await disableTotp(dependencies, sessionOf(request), input);
      return { message: 'Two-factor authentication is off.' };
    },
  );
}
