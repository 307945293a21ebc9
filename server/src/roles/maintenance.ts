import { ACCOUNT_WINDOW_MS } from '../accounts/guess-limits.ts';
import { deleteLoginFailuresBefore } from '../accounts/login-failure-queries.ts';
import { deleteExpiredSessions } from '../accounts/queries.ts';
import { dropPartitionsBefore, ensurePartitions, weekOf } from '../events/partitions.ts';
import { deleteEventCountsBefore } from '../events/retention.ts';
import { deleteFramesBefore } from '../incidents/queries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Pool } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { deleteDeadLettersBefore } from '../processing/queries.ts';
import { freeDeletedProjects } from '../projects/free-deleted-projects.ts';
import { deletePresenceBefore } from '../queue/presence-queries.ts';
import { deleteClaimsBefore } from '../queue/queries.ts';
import { deleteDecisionsBefore } from '../risk/decision-queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Events may be captured 7 days before and 5 minutes after they are received; a week ahead is made in time. */
const PARTITIONS_BACK_MS = 8 * DAY_MS;
const PARTITIONS_AHEAD_MS = 8 * DAY_MS;
const CLAIM_DAYS = 30;
/** As long as a preview can look back. */
const PRESENCE_DAYS = 31;
const DECISION_DAYS = 7;
const PIECE_ROWS = 5_000;
const MAX_PIECES = 20;

/**
 * Keeps the database in shape: partitions ahead, retention behind, and what is only kept for a while. Every
 * worker does it; what one has done leaves nothing to the others.
 * @returns whether there is more to do at once
 */
export async function maintain(pool: Pool, clock: Clock, log: Log, retentionDays: number): Promise<boolean> {
  const now = clock.now();
  const retainFrom = now - retentionDays * DAY_MS;
  // Not further back than retention reaches: what it has dropped would be made and dropped again.
  await ensurePartitions(pool, Math.max(now - PARTITIONS_BACK_MS, retainFrom), now + PARTITIONS_AHEAD_MS);
  for (const partition of await dropPartitionsBefore(pool, retainFrom))
    log.info({ partition }, 'retention dropped a week');

  await deleteExpiredSessions(pool, new Date(now));
  await deleteLoginFailuresBefore(pool, new Date(now - ACCOUNT_WINDOW_MS));
  await deleteFramesBefore(pool, new Date(now - 60 * MINUTE_MS));
  await deletePresenceBefore(pool, new Date(now - PRESENCE_DAYS * DAY_MS));
  const pieces = [
    // As long as their events: lists go by the counts where a type, source or severity is rare.
    await deleteEventCountsBefore(pool, new Date(weekOf(retainFrom)), PIECE_ROWS),
    await deleteDeadLettersBefore(pool, new Date(retainFrom), PIECE_ROWS),
    await deleteClaimsBefore(pool, new Date(now - CLAIM_DAYS * DAY_MS), PIECE_ROWS),
    await deleteDecisionsBefore(pool, new Date(now - DECISION_DAYS * DAY_MS), PIECE_ROWS),
  ];
  const more = await freeDeletedProjects(pool, MAX_PIECES);
  return more || pieces.includes(PIECE_ROWS);
}
