import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { createAddressLimit } from '../../tenancy/address-limit.ts';
import { TENANCY_ERRORS } from '../../tenancy/errors.ts';
import { hashSecret, isWellFormedSecret } from '../../tenancy/secret-format.ts';
import { NOTIFICATION_ERRORS } from '../errors.ts';
import { type AskedRecipient, findAskedRecipient, updateConfirmed } from './queries.ts';
import { ConfirmationBody, ConfirmationOffer } from './schema.ts';

const tags = ['Notifications'];

/** For who gets the mail that asks, without a session. Only the second one changes something: scanners of mail open links. */
export function registerRecipientRoutes(app: HttpApp, { pool, clock }: Store): void {
  const limitLookups = createAddressLimit(
    clock,
    TENANCY_ERRORS.too_many_requests,
    'Too many requests from this address. Try again soon.',
  );
  const requireAsked = async (token: string): Promise<AskedRecipient> => {
    const found = isWellFormedSecret('tsn_adr_', token)
      ? await findAskedRecipient(pool, hashSecret(token), new Date(confirmedTime(clock)))
      : null;
    if (found) return found;
    throw new ApiError(
      NOTIFICATION_ERRORS.invalid_confirmation,
      'This link is not valid: a newer one has replaced it, or it has expired. Ask the organization for a new one.',
    );
  };
  app.post(
    '/notification-recipients/lookup',
    {
      schema: {
        tags,
        summary: 'Read who asks to send notifications to an address',
        description: 'Changes nothing, and is no GET, so that the token is in no address.',
        security: [],
        body: ConfirmationBody,
        response: { 200: ConfirmationOffer },
      },
    },
    async (request) => {
      limitLookups(request);
      const { address, organizationName, confirmedAt } = await requireAsked(request.body.token);
      return { address, organization: { name: organizationName }, isConfirmed: confirmedAt !== null };
    },
  );

  app.post(
    '/notification-recipients/confirm',
    {
      schema: {
        tags,
        summary: 'Confirm that an address wants the notifications of an organization',
        security: [],
        body: ConfirmationBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      limitLookups(request);
      const { organizationId, address } = await requireAsked(request.body.token);
      await updateConfirmed(pool, organizationId, { address, now: new Date(clock.now()) });
      return reply.code(204).send(null);
    },
  );
}
