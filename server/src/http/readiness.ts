import type { Pool } from '../database/database.ts';
import { findSchemaState } from '../database/migrate.ts';
import { RefusedServerError } from '../database/position-watch.ts';
import { findReadOnly, findReplication } from '../database/queries.ts';
import { cacheFor } from '../platform/cached.ts';
import { waitAtMost } from '../platform/timing/wait-at-most.ts';

/** Maximum age of the result: a probe a millisecond costs no more than one a second. */
const MAX_AGE_MS = 1_000;
const TIMEOUT_MS = 2_000;
const NO_ANSWER = 'The database does not answer.';

interface Readiness {
  /** Public sentence that says why the service cannot take requests; null: it can. */
  reason: string | null;
  /** Number of standbys that commits wait for, where they do and the role may see it. */
  synchronousStandbys: number | null;
}

/**
 * Returns if the service can take requests, asking the database at most once a second. Answers within the time limit,
 * and a database that does not answer is not asked again meanwhile.
 */
export function createReadiness(pool: Pool, timeoutMs = TIMEOUT_MS): () => Promise<Readiness> {
  let asking: Promise<Readiness> | null = null;
  return cacheFor(MAX_AGE_MS, async () => {
    asking ??= findReadiness(pool).finally(() => (asking = null));
    return waitAtMost(timeoutMs, asking, unready(NO_ANSWER));
  });
}

async function findReadiness(pool: Pool): Promise<Readiness> {
  try {
    const { pending } = await findSchemaState(pool);
    if (pending.length > 0) return unready(`Migrations are not applied yet: ${pending.join(', ')}.`);
    if (await findReadOnly(pool)) return unready('The database is read-only.');
    const { isSynchronous, standbys } = await findReplication(pool);
    return { reason: null, synchronousStandbys: isSynchronous && standbys >= 0 ? standbys : null };
  } catch (error) {
    if (error instanceof RefusedServerError) return unready(error.message);
    if (error instanceof Error && error.name === 'MigrationError') return unready(error.message);
    return unready(NO_ANSWER);
  }
}

function unready(reason: string): Readiness {
  return { reason, synchronousStandbys: null };
}
