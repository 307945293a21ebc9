import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import { InvitationToken } from '../invitations/schema.ts';
import { MIN_PASSWORD_LENGTH } from './limits.ts';
import { SESSION_LIFETIME_SECONDS } from './tokens.ts';

export const Email = Type.String({ maxLength: 400, format: 'email-address' });

export const NewPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: 1024,
  description: `At least ${MIN_PASSWORD_LENGTH} characters, at most 1,024 bytes.`,
});

export const SignUpBody = Type.Object({
  name: Name('Full name'),
  email: Email,
  password: NewPassword,
  invitation: Type.Optional(InvitationToken),
});

export const UserPatch = Type.Object({ name: Name('Full name') });

const OneTimeCode = Type.String({
  maxLength: 64,
  description: 'The 6 digits that the authenticator app shows, or a recovery code. Each is valid once.',
});

export const LogInBody = Type.Object({
  email: Type.String({ maxLength: 400 }),
  password: Type.String({ maxLength: 1024 }),
  code: Type.Optional(OneTimeCode),
});

/** Field of a request that sets a new password. */
export const RevokeTokens = Type.Optional(
  Type.Boolean({ default: false, description: 'True revokes all access tokens of the user as well.' }),
);

export const ChangePasswordBody = Type.Object({
  current: Type.String({ maxLength: 1024 }),
  new: NewPassword,
  revokeTokens: RevokeTokens,
});

export const Message = Type.Object({ message: Type.String() });

export const SessionInfo = Type.Object({
  id: Type.String({ examples: ['ses_01h455vb4pex5vsknk084sn02q'] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastSeenAt: Type.String({ format: 'date-time', description: 'The last use, to 5 minutes.' }),
  address: Nullable(Type.String({ description: 'Address that the login came from.' })),
  userAgent: Nullable(Type.String({ description: 'The `User-Agent` of the login, cut to 200 characters.' })),
  current: Type.Boolean({ description: 'True if the request itself belongs to this session.' }),
});

/** The client that started a session; null: unknown. */
export interface SessionOrigin {
  address: string | null;
  userAgent: string | null;
}

export interface SessionRow extends SessionOrigin {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  lastSeenAt: Date | null;
}

export function toSessionInfo(row: SessionRow, currentId: string, nowMs: number): Static<typeof SessionInfo> {
  return {
    id: toId('ses', row.id),
    createdAt: isoTime(row.createdAt),
    expiresAt: isoTime(allowedUntil(row.expiresAt.getTime(), SESSION_LIFETIME_SECONDS * 1_000, nowMs)),
    lastSeenAt: isoTime(row.lastSeenAt ?? row.createdAt),
    address: row.address,
    userAgent: row.userAgent,
    current: row.id === currentId,
  };
}

export const TotpStatus = Type.Object({
  active: Type.Boolean({ description: 'True if logins need a code.' }),
  activatedAt: Nullable(Timestamp),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
});

export const EnrolTotpBody = Type.Object({ password: Type.String({ maxLength: 1024 }) });

export const TotpSecret = Type.Object({
  secret: Type.String({ description: 'Secret in base32, to be typed into the app.' }),
  uri: Type.String({ description: 'The content of a QR code: `otpauth://totp/…`.' }),
});

export const ActivateTotpBody = Type.Object({ code: OneTimeCode });

export const ConfirmationBody = Type.Object({
  password: Type.String({ maxLength: 1024 }),
  code: OneTimeCode,
});

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String({ examples: ['4g7k-m2xq-9rtd-0hvz'] }), {
    description: 'Each replaces a one-time code, once.',
  }),
});
