import type { AnyChannel, ChannelConfig, FieldRole } from './base/channel.ts';

const IS_SECRET: Record<FieldRole, boolean> = {
  open: false,
  derived: false,
  address: false,
  secret: true,
  'secret address': true,
  'signing key': true,
};

/**
 * Splits a configuration into its public part, with derived fields, and the secrets, which are stored
 * encrypted.
 */
export function splitConfig(
  channel: AnyChannel,
  config: ChannelConfig,
): { shown: ChannelConfig; secrets: ChannelConfig } {
  const isSecret = ([name]: [string, unknown]) => isSecretField(channel, name);
  const entries = Object.entries(config);
  return {
    shown: {
      ...Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
      ...channel.derive?.(config),
    },
    secrets: Object.fromEntries(entries.filter(isSecret)),
  };
}

export function isSecretField(channel: AnyChannel, name: string): boolean {
  const role = channel.fields[name];
  return role !== undefined && IS_SECRET[role];
}

/** @returns the stored secrets that a change omits although it moves an address */
export function listSecretsToEnter(
  channel: AnyChannel,
  { before, after, patch }: { before: ChannelConfig; after: ChannelConfig; patch: ChannelConfig },
): string[] {
  const fields = Object.entries(channel.fields);
  const isMoved = fields.some(
    ([name, role]) =>
      (role === 'address' || role === 'secret address') && placeOf(before[name]) !== placeOf(after[name]),
  );
  if (!isMoved) return [];
  return fields.flatMap(([name, role]) => {
    const isSent = role === 'secret' || role === 'secret address';
    return isSent && before[name] !== undefined && patch[name] === undefined ? [name] : [];
  });
}

/** Reduces an address to its host: another path of a host is the same place. */
function placeOf(value: unknown): string {
  const text = String(value);
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : text;
}
