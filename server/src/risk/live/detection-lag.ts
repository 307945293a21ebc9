import type { Queryable } from '../../database/database.ts';
import { listLivenessIntervals } from '../../queue/liveness-queries.ts';
import { findProgress } from './journal-queries.ts';

/**
 * Lag of detection behind ingestion, in milliseconds: normally up to a step and a little more. 0 while no process
 * accepts events, and before the first round.
 */
export async function findDetectionLag(database: Queryable): Promise<number> {
  const { lastRound, timeMs, shiftMs } = await findProgress(database);
  if (lastRound === 0) return 0;
  const intervals = await listLivenessIntervals(database, new Date(timeMs - shiftMs));
  const current = intervals.filter(({ isCurrent }) => isCurrent);
  const intakeMs = current.reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0);
  return current.length === 0 ? 0 : Math.max(0, intakeMs + shiftMs - timeMs);
}
