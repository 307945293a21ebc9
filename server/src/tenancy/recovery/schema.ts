import { Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { Email, NewPassword, RevokeTokens } from '../accounts/schema.ts';

/** Token of a recovery link, in a body; never in an address, which logs keep. */
const RecoveryToken = Type.String({
  maxLength: 256,
  description: 'The token of a recovery link: `tsn_rec_…`, behind the `#`.',
});

export const ResetRequest = Type.Object({ email: Type.String({ maxLength: 400 }) });
export const RecoveryLookup = Type.Object({ token: RecoveryToken });
export const NewPasswordByLink = Type.Object({
  token: RecoveryToken,
  password: NewPassword,
  revokeTokens: RevokeTokens,
});

/** Details that the holder of a link reads before setting the password. */
export const RecoveryOffer = Type.Object({ email: Type.String(), expiresAt: Timestamp });

export const RecoveryLink = Type.Object({
  url: Type.String({
    description: 'The link for the member, shown only once. Without `PUBLIC_URL` only its path.',
    examples: ['https://tocsin.example.com/app/reset#tsn_rec_…'],
  }),
  hint: Nullable(Type.String({ description: 'Instruction for a `url` that is only a path.' })),
  expiresAt: Timestamp,
});

/** Creator of a link: the service, for a mail; an OWNER, for a member; or the operator, on the command line. */
export type RecoveryOrigin = 'mail' | 'owner' | 'operator';

export const EmailChange = Type.Object({
  email: Email,
  password: Type.String({ maxLength: 1024, description: 'The current password.' }),
});

export const EmailConfirmation = Type.Object({
  token: Type.String({ maxLength: 256, description: 'The token of the link: `tsn_eml_…`, behind the `#`.' }),
});

export interface RecoveryLinkRow {
  userId: string;
  email: string;
  origin: RecoveryOrigin;
  expiresAt: Date;
}
