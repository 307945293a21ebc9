import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Spooling } from '../ingestion/spool/accept-or-spool.ts';
import { Outage } from '../ingestion/spool/outage.ts';
import { Spool } from '../ingestion/spool/spool.ts';
import type { Clock } from '../platform/clock.ts';
import type { RoleContext } from './role.ts';

export type SpoolConfig = Pick<Config, 'spoolDirectory' | 'dataDirectory'>;

/** Makes the spool of this process, with what tells when to use it; null: the process has no directory for it. */
export function createSpooling(
  { clock, connection, databaseState, monotonicMs }: RoleContext,
  { spoolDirectory, dataDirectory }: SpoolConfig,
): Spooling | null {
  const isEmbedded = !('connectionString' in connection);
  const directory = spoolDirectory ?? (isEmbedded ? join(dataDirectory, 'spool') : null);
  if (directory === null) return null;
  return {
    spool: new Spool({ directory, clock, readFreeBytes }),
    outage: new Outage({ monotonicMs, findOutage: databaseState.findOutage }),
  };
}

/** Null as long as no client uses the spool: the process is of no use without the database then. */
export function findSpoolingSince(spooling: Spooling | null, clock: Clock): Date | null {
  const durationMs = spooling?.outage.durationMs ?? null;
  if (!spooling || durationMs === null || spooling.outage.listWatchedKeys().length === 0) return null;
  return new Date(clock.now() - durationMs);
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
