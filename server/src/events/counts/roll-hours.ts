import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { addRolledHour, insertHours, lockNextHour, takeStaleHours } from './roll-queries.ts';

/** Maximum stale hours of one transaction: a few seconds. */
const STALE_HOURS = 10;

/**
 * Copies the next hours that are over, the oldest first, and those again that have had later events, up to
 * `maxHours`.
 * @returns true if there may be more
 */
export async function rollHours(pool: Pool, maxHours: number): Promise<boolean> {
  for (let rolled = 0; rolled < maxHours; rolled += STALE_HOURS) {
    if ((await rollStale(pool)) < STALE_HOURS) break;
  }
  for (let rolled = 0; rolled < maxHours; rolled++) {
    if (!(await rollNext(pool))) return false;
  }
  return true;
}

function rollNext(pool: Pool): Promise<boolean> {
  return inPlainTransaction(pool, async (transaction) => {
    const hour = await lockNextHour(transaction);
    if (!hour) return false;
    await insertHours(transaction, hour);
    await addRolledHour(transaction, hour);
    return true;
  });
}

function rollStale(pool: Pool): Promise<number> {
  return inPlainTransaction(pool, async (transaction) => {
    const stale = await takeStaleHours(transaction, STALE_HOURS);
    for (const { hour, ...place } of stale) await insertHours(transaction, hour, place);
    return stale.length;
  });
}
