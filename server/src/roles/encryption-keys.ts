import type { Config } from '../config.ts';
import { findOrCreateKeyFile } from '../platform/encryption/key-file.ts';

/** Of an installation: those of ENCRYPTION_KEY, or with the embedded database those of its file. */
export async function findKeys({
  encryptionKeys,
  databaseUrl,
  dataDirectory,
}: Pick<Config, 'encryptionKeys' | 'databaseUrl' | 'dataDirectory'>): Promise<string[]> {
  if (encryptionKeys) return encryptionKeys;
  return databaseUrl === null ? findOrCreateKeyFile(dataDirectory) : [];
}
