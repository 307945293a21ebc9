import type { LoopDeclaration } from '../../platform/loop.ts';
import { findRetentionTime, type MaintenanceDependencies } from '../maintenance-clock.ts';
import { findMaintenanceState } from '../maintenance-queries.ts';
import { expireArchived } from './expire-archived.ts';
import { Mover, type MoverDependencies } from './mover.ts';

const IDLE_MS = 60_000;

type ArchiveDependencies = MoverDependencies &
  Pick<MaintenanceDependencies, 'clock' | 'databaseTime' | 'retentionDays'>;

/** Moves what is over to the archive, and removes what is too old there, as long as the clock is trusted. */
export function declareArchiveLoop(dependencies: ArchiveDependencies): LoopDeclaration {
  const mover = new Mover(dependencies);
  return {
    name: 'archive',
    round: (stopping) => runArchive(mover, dependencies, stopping),
    idleDelayMs: IDLE_MS,
  };
}

/** Takes one step of the archive. @param stopping ends it early */
export async function runArchive(
  mover: Mover,
  dependencies: ArchiveDependencies,
  stopping: AbortSignal,
): Promise<'again' | 'idle'> {
  const { pool } = dependencies;
  const state = await findMaintenanceState(pool);
  // The time that maintenance has trusted last: it is a minute old at most while workers run.
  if (state === null || state.doubt !== null) return mover.runOnce(null, stopping);
  const countedFromMs = state.isConfirmed ? state.trustedMs : await findRetentionTime(pool, state.trustedMs);
  const result = await mover.runOnce(countedFromMs, stopping);
  if (result === 'idle' && mover.isPrepared && !stopping.aborted)
    await expireArchived(dependencies, countedFromMs);
  return result;
}
