import type { Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import type { AddressLimit } from '../../tenancy/address-limit.ts';
import { hashSecret, isWellFormedSecret } from '../../tenancy/secret-format.ts';
import { NOTIFICATION_ERRORS } from '../errors.ts';
import { type AskedRecipient, findAskedRecipient, updateConfirmed } from './queries.ts';
import { ConfirmationBody, ConfirmationOffer } from './schema.ts';

/**
 * For the owner of the mail address, without a session. Only the second one changes something: mail scanners open
 * links.
 */
const route = routesOf<Store & { limit: AddressLimit }>('Notifications');

export const recipientRoutes = [
  route.post('/notification-recipients/lookup', {
    summary: 'Read who asks to send notifications to an address',
    description: 'Changes nothing, and is no GET, so that the token is in no address.',
    security: [],
    body: ConfirmationBody,
    answer: ConfirmationOffer,
    handle: async (request, { limit, ...store }) => {
      limit(request);
      const { address, organizationName, hasConfirmed } = await requireAsked(store, request.body.token);
      return { address, organization: { name: organizationName }, isConfirmed: hasConfirmed };
    },
  }),

  route.post('/notification-recipients/confirm', {
    summary: 'Confirm that an address wants the notifications of an organization',
    description:
      'With the token of the link in the mail. Until then the address receives nothing else; a repeat changes nothing.',
    security: [],
    body: ConfirmationBody,
    handle: async (request, { limit, ...store }) => {
      limit(request);
      const { organizationId, address } = await requireAsked(store, request.body.token);
      await updateConfirmed(store.pool, organizationId, { address, now: new Date(store.clock.now()) });
    },
  }),
];

async function requireAsked({ pool, clock }: Store, token: string): Promise<AskedRecipient> {
  const found = isWellFormedSecret('tsn_adr_', token)
    ? await findAskedRecipient(pool, hashSecret(token), new Date(confirmedTime(clock)))
    : null;
  if (found) return found;
  throw new ApiError(
    NOTIFICATION_ERRORS.invalid_confirmation,
    'This link is not valid: a newer one has replaced it, or it has expired. Ask the organization for a new one.',
  );
}
