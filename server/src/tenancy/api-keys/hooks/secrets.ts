import { randomBytes } from 'node:crypto';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { HookKind, HookRow } from './schema.ts';

const SECRET_BYTES = 32;
/** Prefix of secrets by Standard Webhooks, which is no part of the key. */
const STANDARD_PREFIX = /^whsec_/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

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

/** @throws ApiError `validation_failed` for a secret that no sender of the kind has */
export function assertSecret(kind: HookKind, secret: string, pointer: string): void {
  if (kind !== 'standard' || BASE64.test(secret.replace(STANDARD_PREFIX, ''))) return;
  const message = 'must be base64, with or without `whsec_` in front';
  throw new ApiError('validation_failed', `body${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
