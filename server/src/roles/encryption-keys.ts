import type { Config } from '../config.ts';
import { findOrCreateKeyFile } from '../platform/encryption/key-file.ts';

/** The installation's keys: from ENCRYPTION_KEY, or with the embedded database from its key file. */
export async function findKeys({
  encryptionKeys,
  databaseUrl,
  dataDirectory,
}: Pick<Config, 'encryptionKeys' | 'databaseUrl' | 'dataDirectory'>): Promise<string[]> {
  if (encryptionKeys) return encryptionKeys;
  return databaseUrl === null ? findOrCreateKeyFile(dataDirectory) : [];
}
