import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Pool, Queryable } from '../database/database.ts';
import { listPartitionWeeks } from '../events/partition-queries.ts';
import { weeksBefore } from '../events/weeks.ts';
import { changeMaintenanceState, findRetentionTime } from '../maintenance/maintenance-clock.ts';
import { findDatabaseTime, findMaintenanceState } from '../maintenance/maintenance-queries.ts';
import { DOUBT_MS } from '../maintenance/trusted-time.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import { isoTime } from '../platform/time.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin retention [--confirm]` */
export function defineRetention(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('retention')
    .description('Print which time retention uses, and which weeks of events are too old.')
    .option('--confirm', 'the clock is right: remove at once everything that is too old by it')
    .addHelpText(
      'after',
      `
Nothing is removed while the clock is more than a day ahead of what is expected: it leapt, or the service was
switched off. A worker does the removing, within a minute, and by the RETENTION_DAYS that it was started with.

Example, after some months without electricity:
  $ tocsin retention
  $ tocsin retention --confirm`,
    )
    .action(async ({ confirm = false }: { confirm?: boolean }) => {
      const config = readConfig(environment);
      await abortOnSignal(async (signal) => {
        const { pool, close } = await openDatabase(config, 'tocsin-retention', 'beside, existing', signal);
        try {
          const dependencies = { pool, clock: systemClock, databaseTime: findDatabaseTime };
          if (confirm) await confirmTime(dependencies);
          const lines = await describeRetention(dependencies, config.retentionDays);
          process.stdout.write(`${lines.join('\n')}\n`);
        } finally {
          await close();
        }
      });
    });
}

interface RetentionDependencies {
  pool: Pool;
  clock: Clock;
  databaseTime: (database: Queryable) => Promise<number>;
}

/** Trusts the clock from now on; the next round of a worker removes what is too old by it. */
export async function confirmTime(dependencies: RetentionDependencies): Promise<void> {
  const nowMs = await findTime(dependencies);
  await changeMaintenanceState(dependencies, async (_, state) => ({
    ...state,
    trustedMs: nowMs,
    doubt: null,
    isConfirmed: true,
  }));
}

/** @param ownDays days for which events are kept if no worker has recorded it yet */
export async function describeRetention(
  dependencies: RetentionDependencies,
  ownDays: number,
): Promise<string[]> {
  const { pool } = dependencies;
  const [nowMs, state] = [await findTime(dependencies), await findMaintenanceState(pool)];
  const days = state?.retentionDays ?? ownDays;
  // If the time is not trusted: the weeks that `--confirm` would remove.
  const isOfClock = state?.doubt || state?.isConfirmed;
  const countedFromMs = isOfClock ? nowMs : await findRetentionTime(pool, nowMs);
  const tooOld = weeksBefore(await listPartitionWeeks(pool), countedFromMs - days * DAY_MS);
  const weeks = tooOld.map((weekMs) => isoTime(weekMs).slice(0, 10)).join(', ');
  return [
    `The clock says ${isoTime(nowMs)}; the last time that was believed is ${state ? isoTime(state.trustedMs) : 'unknown'}.`,
    `Events are kept for ${days} days. Weeks that are older, by their first day: ${weeks || 'none'}.`,
    ...(countedFromMs < nowMs ? [describeOldBackup(countedFromMs)] : []),
    describeState(state),
  ];
}

function describeOldBackup(newestMs: number): string {
  return `Ages are counted from ${isoTime(newestMs)}, when the newest event was received: ingestion has run for less than a day since. With --confirm they are counted from now.`;
}

function describeState(state: Awaited<ReturnType<typeof findMaintenanceState>>): string {
  if (state?.doubt) {
    const hours = Math.ceil((DOUBT_MS - state.doubt.ranMs) / HOUR_MS);
    return `Nothing is removed: the clock was changed, or the service was switched off. The clock is trusted after ${hours} more hours of uptime, or with --confirm.`;
  }
  if (state?.isConfirmed) return 'The time is confirmed: a worker removes what is too old within a minute.';
  return 'One week an hour is removed, the oldest first.';
}

/** The earlier one of the clocks of this machine and of the database, as for the workers. */
async function findTime({ pool, clock, databaseTime }: RetentionDependencies): Promise<number> {
  return Math.min(clock.now(), await databaseTime(pool));
}
