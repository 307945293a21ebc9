import type { Queryable } from '../database/database.ts';
import { updatePendingHeld } from '../notifications/log/queries.ts';
import { updateEndedSettled } from '../notifications/silences/settle-queries.ts';
import { deleteAllSessions } from '../tenancy/accounts/queries.ts';
import { upsertKeysRestored } from '../tenancy/api-keys/queries.ts';
import { deleteAllInvitations } from '../tenancy/invitations/queries.ts';
import { revokeRestoredTokens } from '../tenancy/tokens/revoke-token.ts';
import type { Print } from './progress.ts';

/** `copy`: nothing has happened since the backup. The other two end what may have ended since. */
export type RestoreKind = 'copy' | 'restore' | 'restore, keep tokens';

interface Change {
  table: string;
  /** Runs the step; returns the number of rows. */
  apply: (database: Queryable) => Promise<number>;
  describe: (rows: number) => string;
}

const CHANGES: readonly Change[] = [
  {
    table: 'sessions',
    apply: deleteAllSessions,
    describe: (rows) => `Ended the ${rows} sessions of the backup: all users must log in again.`,
  },
  {
    table: 'access_tokens',
    apply: revokeRestoredTokens,
    describe: (rows) =>
      `Revoked the ${rows} access tokens of the backup: their users create new ones (--keep-tokens keeps them).`,
  },
  {
    table: 'invitations',
    apply: deleteAllInvitations,
    describe: (rows) => `Revoked the ${rows} invitations of the backup.`,
  },
  {
    table: 'api_keys',
    apply: upsertKeysRestored,
    describe: (rows) =>
      `Kept the ${rows} API keys of the backup valid: the pages of their projects mark them.`,
  },
  {
    table: 'deliveries',
    // Sent now, they would report the past as news.
    apply: updatePendingHeld,
    describe: (rows) => `Held ${rows} notifications that were not sent yet: OWNERs release or drop them.`,
  },
  {
    table: 'silences',
    apply: updateEndedSettled,
    describe: (rows) =>
      `Closed ${rows} silences that ended since the backup: nothing is sent about their end.`,
  },
];

/**
 * Ends what may have ended after the backup was made: sessions, invitations, access tokens.
 * @param present tables of the backup: an older version had fewer
 */
export async function distrustPast(
  database: Queryable,
  kind: RestoreKind,
  present: readonly string[],
  print: Print,
): Promise<void> {
  if (kind === 'copy') return;
  for (const { table, apply, describe } of CHANGES) {
    const isKept = table === 'access_tokens' && kind === 'restore, keep tokens';
    if (isKept || !present.includes(table)) continue;
    const rows = await apply(database);
    if (rows > 0) print(describe(rows));
  }
}
