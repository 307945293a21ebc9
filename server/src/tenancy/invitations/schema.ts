import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import { Role } from '../session.ts';
import { InvitationMailState } from './invitation-mail.ts';

const MAX_EXPIRY_DAYS = 30;
export const DEFAULT_EXPIRY_DAYS = 7;

/** Token of an invitation link, in a body; never in an address, which logs keep. */
export const InvitationToken = Type.String({
  maxLength: 256,
  description: 'The token of an invitation link: `tsn_inv_…`, behind the `#`.',
});

export const NewInvitation = Type.Object({
  role: Type.Optional(Type.Enum(['OWNER', 'MEMBER'], { default: 'MEMBER' })),
  email: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 400,
      format: 'email-address',
      description: 'Only a user with this address can accept; null or left out: any user.',
    }),
  ),
  expiresInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_DAYS, default: DEFAULT_EXPIRY_DAYS }),
  ),
});

export const Invitation = Type.Object({
  id: Type.String({ examples: ['inv_01h455vb4pex5vsknk084sn02q'] }),
  role: Role,
  email: Nullable(Type.String()),
  createdBy: Type.Object({ id: Type.String(), name: Type.String() }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

export const CreatedInvitation = Type.Object({
  ...Invitation.properties,
  url: Type.String({
    description: 'The link for the invited user, shown only once. Without `PUBLIC_URL` only its path.',
    examples: ['https://tocsin.example.com/app/join#tsn_inv_…'],
  }),
  hint: Nullable(Type.String({ description: 'Instruction for a `url` that is only a path.' })),
  mail: InvitationMailState,
});

/** Details that the holder of a link reads before accepting. */
export const InvitationOffer = Type.Object({
  organization: Type.Object({ name: Type.String() }),
  invitedBy: Type.Object({ name: Type.String() }),
  role: Role,
  email: Nullable(Type.String({ description: 'The address that the invitation is bound to.' })),
  expiresAt: Timestamp,
});

export interface InvitationRow {
  id: string;
  organizationId: string;
  role: Role;
  email: string | null;
  createdBy: string;
  creatorName: string;
  createdAt: Date;
  expiresAt: Date;
}

/** An invitation found by its token, valid or not. */
export interface FoundInvitation extends InvitationRow {
  organizationName: string;
  acceptedAt: Date | null;
  /** True if the user who made it may still invite. */
  isCreatorOwner: boolean;
}

export function toInvitation(row: InvitationRow, nowMs: number): Static<typeof Invitation> {
  return {
    id: toId('inv', row.id),
    role: row.role,
    email: row.email,
    createdBy: { id: toId('usr', row.createdBy), name: row.creatorName },
    createdAt: isoTime(row.createdAt),
    expiresAt: isoTime(allowedUntil(row.expiresAt.getTime(), MAX_EXPIRY_DAYS * DAY_MS, nowMs)),
  };
}

export function toOffer(row: FoundInvitation, nowMs: number): Static<typeof InvitationOffer> {
  return {
    organization: { name: row.organizationName },
    invitedBy: { name: row.creatorName },
    role: row.role,
    email: row.email,
    expiresAt: isoTime(allowedUntil(row.expiresAt.getTime(), MAX_EXPIRY_DAYS * DAY_MS, nowMs)),
  };
}
