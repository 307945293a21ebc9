import { randomBytes } from 'node:crypto';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { ApiError } from '../../../platform/errors.ts';
import { generateSecret, hashSecret, isWellFormedSecret } from '../../secret-format.ts';
import type { HookKind, HookRow } from './schema.ts';

const TOKEN_PREFIX = 'tsn_hook_';
const SECRET_BYTES = 32;
/** Prefix of secrets by Standard Webhooks, which is no part of the key. */
const STANDARD_PREFIX = /^whsec_/;
/** Minimum length of their keys, by the specification of Standard Webhooks. */
const MIN_STANDARD_BYTES = 24;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Generates the token of an address. */
export function generateHookToken(): { secret: string; hash: Buffer } {
  return generateSecret(TOKEN_PREFIX);
}

/** Returns the hash by which a token is stored; null: no hook can have it. */
export function hashHookToken(token: string): Buffer | null {
  return isWellFormedSecret(TOKEN_PREFIX, token) ? hashSecret(token) : null;
}

/** Generates a secret that a person enters at the sender. */
export function generateSigningSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function hookSecretsPurpose(id: string): string {
  return `hooks.secrets:${id}`;
}

/** Returns the columns of a hook’s secrets. @throws ApiError `encryption_key_missing` */
export function sealSecrets(
  encryption: Encryption,
  id: string,
  secrets: readonly string[],
): Pick<HookRow, 'secrets' | 'secretCount'> {
  const sealed =
    secrets.length === 0 ? null : encryption.encrypt(JSON.stringify(secrets), hookSecretsPurpose(id));
  return { secrets: sealed, secretCount: secrets.length };
}

/** @throws ApiError `encryption_key_missing`, `encryption_key_wrong` */
export function openSecrets(
  encryption: Encryption,
  { id, secrets }: Pick<HookRow, 'id' | 'secrets'>,
): string[] {
  // Sealed by the function above.
  return secrets === null
    ? []
    : (JSON.parse(encryption.decrypt(secrets, hookSecretsPurpose(id))) as string[]);
}

/** Returns the key of a secret as the sender uses it. */
export function signingKeyOf(kind: HookKind, secret: string): Buffer {
  if (kind === 'standard') return Buffer.from(secret.replace(STANDARD_PREFIX, ''), 'base64');
  return Buffer.from(secret);
}

/** @throws ApiError `validation_failed` for a secret that no sender of the kind has */
export function assertSecret(kind: HookKind, secret: string, pointer: string): void {
  if (kind !== 'standard') return;
  const isBase64 = BASE64.test(secret.replace(STANDARD_PREFIX, ''));
  if (isBase64 && signingKeyOf(kind, secret).length >= MIN_STANDARD_BYTES) return;
  const message = `must be base64 of at least ${MIN_STANDARD_BYTES} bytes, with or without \`whsec_\` in front`;
  throw new ApiError('validation_failed', `body${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
