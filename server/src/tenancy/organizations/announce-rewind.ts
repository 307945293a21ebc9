import { inTransaction, type Store } from '../../database/database.ts';
import type { Rewind } from '../../database/position-watch.ts';
import { deleteSurplusNotices } from './notice-queries.ts';
import { deleteRewindNotices, insertRewindNotices, lockRewind, updateRewind } from './rewind-queries.ts';

/**
 * Gives every OWNER one notice about a database that went back in time, with the interval whose commits are gone. Each
 * process that has noticed it calls this, and the interval is that of all of them.
 */
export async function announceRewind(store: Store, rewind: Rewind): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const known = await lockRewind(transaction);
    const isKnown = known !== null && rewind.untilMs <= known.noticedMs;
    if (isKnown) return updateRewind(transaction, unite(known, rewind));
    await updateRewind(transaction, rewind);
    await deleteRewindNotices(transaction);
    await insertRewindNotices(transaction, { nowMs: transaction.now(), noticedMs: rewind.noticedMs });
    await deleteSurplusNotices(transaction);
  });
}

/** The first process to meet the database has the earliest beginning: others may have written meanwhile. */
function unite(one: Rewind, other: Rewind): Rewind {
  const froms = [one.fromMs, other.fromMs].filter((ms) => ms !== null);
  return {
    fromMs: froms.length > 0 ? froms.reduce((least, ms) => Math.min(least, ms)) : null,
    untilMs: Math.max(one.untilMs, other.untilMs),
    noticedMs: Math.min(one.noticedMs, other.noticedMs),
  };
}
