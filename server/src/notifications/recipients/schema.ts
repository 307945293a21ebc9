import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { isoTime } from '../../platform/time.ts';
import { isWaiting } from './ask-recipient.ts';
import type { RecipientRow } from './recipient.ts';

export const ConfirmationBody = Type.Object({
  token: Type.String({ maxLength: 256, description: 'Behind `#` in the link: `tsn_adr_…`.' }),
});

export const ConfirmationOffer = Type.Object({
  address: Type.String({ examples: ['on-call@example.com'] }),
  organization: Type.Object({ name: Type.String() }),
  isConfirmed: Type.Boolean(),
});
export type ConfirmationOffer = Static<typeof ConfirmationOffer>;

const ConfirmationState = Type.Object({
  state: Type.Enum(['waiting', 'confirmed'], {
    description: '`waiting`: nothing is sent to the address until its link is opened and confirmed there.',
  }),
  askedAt: Nullable(Timestamp),
});
type ConfirmationState = Static<typeof ConfirmationState>;

export const Confirmation = Type.Unsafe<ConfirmationState | null>({
  ...ConfirmationState,
  type: ['object', 'null'],
  description: 'Confirmation of the address of a target that sends mail. Null: it needs none.',
});

/** @param recipient the address of a target; null: it sends no mail */
export function toConfirmation(recipient: RecipientRow | null): ConfirmationState | null {
  if (!recipient || recipient.isMember) return null;
  return {
    state: isWaiting(recipient) ? 'waiting' : 'confirmed',
    askedAt: recipient.askedAt && isoTime(recipient.askedAt),
  };
}
