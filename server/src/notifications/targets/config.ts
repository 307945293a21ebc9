import { Value } from 'typebox/value';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import type { FieldError } from '../../platform/errors.ts';
import { ApiError } from '../../platform/errors.ts';
import type { AnyChannel, ChannelConfig } from '../channels/base/channel.ts';
import { listSecretsToEnter, splitConfig } from '../channels/fields.ts';

/** Configuration of a target as it is stored: the secret fields are separate and encrypted. */
export interface StoredConfig {
  config: ChannelConfig;
  /** Null: it has no secrets. */
  secrets: string | null;
}

/** Purpose bound to the row, so that the secrets of one target cannot be decrypted as those of another. */
export function secretsPurpose(targetId: string): string {
  return `notification_targets.secrets:${targetId}`;
}

/** @throws ApiError `encryption_key_missing` */
export function sealConfig(
  encryption: Encryption,
  channel: AnyChannel,
  config: ChannelConfig,
  targetId: string,
): StoredConfig {
  const { shown, secrets } = splitConfig(channel, config);
  const isEmpty = Object.keys(secrets).length === 0;
  return {
    config: shown,
    secrets: isEmpty ? null : encryption.encrypt(JSON.stringify(secrets), secretsPurpose(targetId)),
  };
}

/** @throws ApiError `encryption_key_missing`, `encryption_key_wrong` */
export function openConfig(encryption: Encryption, targetId: string, stored: StoredConfig): ChannelConfig {
  if (stored.secrets === null) return stored.config;
  // `sealConfig` encrypted it: an object.
  const secrets = JSON.parse(encryption.decrypt(stored.secrets, secretsPurpose(targetId))) as ChannelConfig;
  return { ...stored.config, ...secrets };
}

/** @throws ApiError `validation_failed` with the fields that do not fit the channel */
export function assertConfig(channel: AnyChannel, config: ChannelConfig): void {
  const fields = Value.Check(channel.schema, config)
    ? channel.check(config).map(({ field, message }) => ({ pointer: `/config/${field}`, message }))
    : schemaErrors(channel, config);
  const [first] = fields;
  if (!first) return;
  throw new ApiError('validation_failed', `body${first.pointer}: ${first.message}`, { fields });
}

/**
 * A secret was entered for one address: a change that moves it must enter it again.
 * @throws ApiError `validation_failed` with the missing secrets
 */
export function assertSecretsEntered(
  channel: AnyChannel,
  change: { before: ChannelConfig; after: ChannelConfig; patch: ChannelConfig },
): void {
  const names = listSecretsToEnter(channel, change);
  if (names.length === 0) return;
  const message = 'Enter it again: the host that receives it changes.';
  const fields = names.map((name) => ({ pointer: `/config/${name}`, message }));
  throw new ApiError(
    'validation_failed',
    `The change leads to another host, and the target has secrets: enter ${names.join(' and ')} again.`,
    { fields },
  );
}

function schemaErrors(channel: AnyChannel, config: ChannelConfig): FieldError[] {
  const errors = Value.Errors(channel.schema, config).slice(0, 10);
  const fields = errors.map(({ instancePath, message }) => ({ pointer: `/config${instancePath}`, message }));
  return fields.length > 0 ? fields : [{ pointer: '/config', message: 'does not fit the kind of target' }];
}
