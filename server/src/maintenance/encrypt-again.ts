import type { Pool, Queryable } from '../database/database.ts';
import {
  listSubscriptionSecrets,
  listVapidSecrets,
  updateSubscriptionSecret,
  updateVapidSecret,
} from '../notifications/channels/webpush/secret-queries.ts';
import { subscriptionPurpose } from '../notifications/channels/webpush/stored-subscription.ts';
import { VAPID_PURPOSE } from '../notifications/channels/webpush/vapid-keys.ts';
import { secretsPurpose } from '../notifications/targets/config.ts';
import { listTargetSecrets, updateTargetSecrets } from '../notifications/targets/secret-queries.ts';
import type { Encryption } from '../platform/encryption/encryption.ts';
import { ENCRYPTION_ERRORS } from '../platform/encryption/errors.ts';
import { ApiError } from '../platform/errors.ts';
import { listHookSecrets, updateHookSecrets } from '../tenancy/api-keys/hooks/queries.ts';
import { hookSecretsPurpose } from '../tenancy/api-keys/hooks/secrets.ts';
import { listFactorSecrets, updateFactorSecret } from '../tenancy/second-factor/queries.ts';
import { secretPurpose } from '../tenancy/second-factor/use-code.ts';

const PAGE_ROWS = 200;

interface SecretRow {
  /** Id of its row. */
  id: string;
  secret: string;
}

interface SecretKind {
  /** Lists secrets by id, after one; null: from the first on. */
  list: (database: Queryable, after: string | null, limit: number) => Promise<SecretRow[]>;
  /** Replaces a secret if it is unchanged. @returns true if it was */
  replace: (database: Queryable, row: SecretRow, sealed: string) => Promise<boolean>;
  purposeOf: (id: string) => string;
}

/** All encrypted data. */
const KINDS: readonly SecretKind[] = [
  { list: listTargetSecrets, replace: updateTargetSecrets, purposeOf: secretsPurpose },
  { list: listHookSecrets, replace: updateHookSecrets, purposeOf: hookSecretsPurpose },
  { list: listFactorSecrets, replace: updateFactorSecret, purposeOf: secretPurpose },
  { list: listSubscriptionSecrets, replace: updateSubscriptionSecret, purposeOf: subscriptionPurpose },
  { list: listVapidSecrets, replace: updateVapidSecret, purposeOf: () => VAPID_PURPOSE },
];

export interface EncryptedAgain {
  /** Number of values that are now encrypted with the first key. */
  renewed: number;
  /** Number of values that none of the keys can decrypt, or that were changed since. */
  unreadable: number;
}

/**
 * Encrypts values of other keys with the first one: afterwards the others are no longer needed, unless something is
 * unreadable. Any number of processes may do it, while secrets are used and changed.
 */
export async function encryptAgain(pool: Pool, encryption: Encryption): Promise<EncryptedAgain> {
  const result: EncryptedAgain = { renewed: 0, unreadable: 0 };
  for (const kind of KINDS) {
    for (let after: string | null = null; ; ) {
      const rows: SecretRow[] = await kind.list(pool, after, PAGE_ROWS);
      for (const row of rows) {
        if (encryption.isCurrent(row.secret)) continue;
        const plain = decrypt(encryption, row.secret, kind.purposeOf(row.id));
        if (plain === null) result.unreadable++;
        else if (await kind.replace(pool, row, encryption.encrypt(plain, kind.purposeOf(row.id))))
          result.renewed++;
      }
      if (rows.length < PAGE_ROWS) break;
      after = rows.at(-1)?.id ?? null;
    }
  }
  return result;
}

function decrypt(encryption: Encryption, secret: string, purpose: string): string | null {
  try {
    return encryption.decrypt(secret, purpose);
  } catch (error) {
    if (error instanceof ApiError && error.code in ENCRYPTION_ERRORS) return null;
    throw error;
  }
}
