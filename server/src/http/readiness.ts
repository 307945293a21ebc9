import type { Pool } from '../database/database.ts';
import { findSchemaState } from '../database/migrate.ts';
import { findReadOnly } from '../database/queries.ts';
import { cacheFor } from '../platform/cached.ts';
import { waitAtMost } from '../platform/timing/wait-at-most.ts';

/** Maximum age of the result: a probe a millisecond costs no more than one a second. */
const MAX_AGE_MS = 1_000;
const TIMEOUT_MS = 2_000;
const NO_ANSWER = 'The database does not answer.';

/**
 * Returns why the service cannot take requests, asking the database at most once a second; null: it can. Answers
 * within the time limit, and a database that does not answer is not asked again meanwhile.
 */
export function createReadiness(pool: Pool, timeoutMs = TIMEOUT_MS): () => Promise<string | null> {
  let asking: Promise<string | null> | null = null;
  return cacheFor(MAX_AGE_MS, async () => {
    asking ??= findReason(pool).finally(() => (asking = null));
    return waitAtMost(timeoutMs, asking, NO_ANSWER);
  });
}

async function findReason(pool: Pool): Promise<string | null> {
  try {
    const { pending } = await findSchemaState(pool);
    if (pending.length > 0) return `Migrations are not applied yet: ${pending.join(', ')}.`;
    return (await findReadOnly(pool)) ? 'The database is read-only.' : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'MigrationError') return error.message;
    return NO_ANSWER;
  }
}
