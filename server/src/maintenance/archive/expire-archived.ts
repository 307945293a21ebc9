import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { findArchiveState, listBlockWeeks, updateExpiredAt } from '../../events/archive/block-queries.ts';
import {
  findDeletion,
  insertDeletion,
  insertSeverityDeletions,
} from '../../events/archive/deletion-queries.ts';
import { weeksBefore } from '../../events/weeks.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { claimDrop, type MaintenanceDependencies } from '../maintenance-clock.ts';

type ExpiryDependencies = { pool: Pool } & Pick<
  MaintenanceDependencies,
  'clock' | 'databaseTime' | 'retentionDays'
>;

/**
 * Has removed from the archive what is too old: the oldest week, one an hour as in PostgreSQL, and once a day what projects
 * keep for less time.
 * @param countedFromMs trusted time that ages are counted from
 */
export async function expireArchived(dependencies: ExpiryDependencies, countedFromMs: number): Promise<void> {
  const { pool, retentionDays } = dependencies;
  // While the archive does not answer, requests would gather.
  if ((await findDeletion(pool)) !== null) return;
  const weeks = (await listBlockWeeks(pool)).filter(({ moving }) => moving === 0);
  const [weekMs] = weeksBefore(
    weeks.map(({ week }) => week.getTime()),
    countedFromMs - retentionDays * DAY_MS,
  );
  if (weekMs !== undefined && (await claimDrop(dependencies, countedFromMs)))
    await insertDeletion(pool, { kind: 'week', condition: { week: isoTime(weekMs) } });
  const { expiredAt } = (await findArchiveState(pool)) ?? { expiredAt: null };
  const isDue = expiredAt === null || Math.abs(countedFromMs - expiredAt.getTime()) >= DAY_MS;
  if (!isDue) return;
  await inPlainTransaction(pool, async (transaction) => {
    await insertSeverityDeletions(transaction, new Date(countedFromMs));
    await updateExpiredAt(transaction, new Date(countedFromMs));
  });
}
