import type { Pool } from '../../database/database.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ENCRYPTION_ERRORS } from '../../platform/encryption/errors.ts';
import { ApiError } from '../../platform/errors.ts';
import { isSecretField } from '../channels/fields.ts';
import { CHANNEL_KINDS, CHANNELS } from '../channels/registry.ts';
import { openConfig, sealConfig } from './config.ts';
import { listOpenSecrets, type OpenSecretRow, updateSealed } from './secret-queries.ts';

const PAGE_ROWS = 200;

/**
 * Encrypts fields that became secret after they were stored, such as the addresses of webhooks. Any number of
 * processes may do it while targets are used and changed.
 * @returns the number of changed targets
 */
export async function sealOpenSecrets(pool: Pool, encryption: Encryption): Promise<number> {
  let sealed = 0;
  for (const kind of CHANNEL_KINDS) {
    const channel = CHANNELS[kind];
    const names = Object.keys(channel.fields).filter((name) => isSecretField(channel, name));
    if (names.length === 0) continue;
    for (let after: string | null = null; ; ) {
      const rows: OpenSecretRow[] = await listOpenSecrets(pool, { kind, names, after }, PAGE_ROWS);
      for (const row of rows) {
        const stored = trySeal(() =>
          sealConfig(encryption, channel, openConfig(encryption, row.id, row), row.id),
        );
        if (stored && (await updateSealed(pool, row, stored))) sealed++;
      }
      if (rows.length < PAGE_ROWS) break;
      after = rows.at(-1)?.id ?? null;
    }
  }
  return sealed;
}

/** Returns null if the key is missing, or not the one of its other secrets: they must be entered again. */
function trySeal<T>(seal: () => T): T | null {
  try {
    return seal();
  } catch (error) {
    if (error instanceof ApiError && error.code in ENCRYPTION_ERRORS) return null;
    throw error;
  }
}
