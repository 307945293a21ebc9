import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import { isWaiting } from './ask-recipient.ts';
import type { RecipientRow } from './recipient.ts';

/** How long the addresses of targets from before confirmations receive messages without one (migration 52). */
const MAX_GRACE_MS = 14 * DAY_MS;

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
  deliversUntil: Nullable(
    Type.String({ ...Timestamp, description: 'Messages are sent until then although it waits; null: none.' }),
  ),
});
type ConfirmationState = Static<typeof ConfirmationState>;

export const Confirmation = Type.Unsafe<ConfirmationState | null>({
  ...ConfirmationState,
  type: ['object', 'null'],
  description:
    'Of a target that sends mail: whether its address has confirmed that it wants messages. Null: it needs no confirmation.',
});

/** @param recipient the address of a target; null: it sends no mail */
export function toConfirmation(recipient: RecipientRow | null, nowMs: number): ConfirmationState | null {
  if (!recipient || recipient.isMember) return null;
  const { askedAt, graceUntil } = recipient;
  const waits = isWaiting(recipient);
  return {
    state: waits ? 'waiting' : 'confirmed',
    askedAt: askedAt && isoTime(askedAt),
    deliversUntil:
      waits && graceUntil ? isoTime(allowedUntil(graceUntil.getTime(), MAX_GRACE_MS, nowMs)) : null,
  };
}
