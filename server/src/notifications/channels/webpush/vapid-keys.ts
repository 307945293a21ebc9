import type { Queryable } from '../../../database/database.ts';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { findVapidKeys, insertVapidKeys, listVapidKeys, type StoredVapidKeys } from './queries.ts';
import { generateVapidKeys, type VapidKeys } from './vapid.ts';

/** Key pair with the name of its row. */
export interface NamedVapidKeys extends VapidKeys {
  encryptionKey: string;
}

export const VAPID_PURPOSE = 'web_push_keys.private_key';

/**
 * The installation's keys, created on first use. If the key that encrypts them is lost, another pair is created:
 * browsers that were switched on with the former pair have to be switched on again.
 * @throws ApiError `encryption_key_missing` if there is no key to encrypt with
 */
export async function findOrCreateVapidKeys(
  database: Queryable,
  encryption: Encryption,
  now: Date,
): Promise<NamedVapidKeys> {
  for (const stored of await listVapidKeys(database)) {
    const keys = tryOpen(encryption, stored);
    if (keys) return keys;
  }
  const { publicKey, privateKey } = generateVapidKeys();
  const sealed = encryption.encrypt(privateKey, VAPID_PURPOSE);
  const [encryptionKey = ''] = sealed.split(':');
  await insertVapidKeys(database, { encryptionKey, publicKey, privateKey: sealed, createdAt: now });
  const stored = await findVapidKeys(database, encryptionKey);
  if (!stored) throw new Error('The web push keys disappeared while they were created.');
  return openVapidKeys(encryption, stored);
}

/** @throws ApiError `encryption_key_missing`, `encryption_key_wrong` */
export function openVapidKeys(encryption: Encryption, stored: StoredVapidKeys): NamedVapidKeys {
  const { encryptionKey, publicKey } = stored;
  return { encryptionKey, publicKey, privateKey: encryption.decrypt(stored.privateKey, VAPID_PURPOSE) };
}

function tryOpen(encryption: Encryption, stored: StoredVapidKeys): NamedVapidKeys | null {
  try {
    return openVapidKeys(encryption, stored);
  } catch {
    // The caller creates another pair, which reports a missing key.
    return null;
  }
}
