import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import type { Pool } from '../database/database.ts';
import type { EventArchive } from '../events/archive/event-archive.ts';
import { createArchiveMetrics } from '../maintenance/archive/metrics.ts';
import { findDatabaseTime } from '../maintenance/maintenance-queries.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { createLog } from '../platform/log.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import { describeArchive, describeWaiting, verifyArchive } from './archive-report.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin archive status|verify|move` */
export function defineArchive(program: Command, { environment, output }: Terminal): void {
  const archive = program.command('archive').description('Weeks of events in ClickHouse (ARCHIVE_URL).');
  const print = (line: string) => void output.write(`${line}\n`);
  archive
    .command('status')
    .description('Print which weeks are in the archive, and what waits. Asks the database alone.')
    .addHelpText('after', '\nExample:\n  $ tocsin archive status')
    .action(async () => {
      const config = readConfig(environment);
      await withDatabase(config, async (pool) => {
        for (const line of await describeArchive(pool)) print(line);
      });
    });
  archive
    .command('verify')
    .description('Compare count and hash of each block with what was recorded; ends with 1 if one differs.')
    .addHelpText('after', '\nExample, after a restored backup:\n  $ tocsin archive verify')
    .action(async () => {
      const config = readConfig(environment);
      await withArchive(config, async (pool, opened) => {
        if (!(await verifyArchive(pool, opened, print))) process.exitCode = 1;
      });
    });
  archive
    .command('move')
    .description('Move the weeks that are over, as the worker does each minute.')
    .requiredOption('--now', 'move them now, and end when none is left')
    .addHelpText('after', '\nExample:\n  $ tocsin archive move --now')
    .action(async () => {
      const config = readConfig(environment);
      await withArchive(config, async (pool, opened, signal) => {
        await moveNow(config, { pool, archive: opened }, signal);
        const waiting = await describeWaiting(pool);
        for (const line of waiting) print(line);
        if (waiting.length > 0) process.exitCode = 1;
      });
    });
}

function withDatabase<T>(config: Config, work: (pool: Pool, signal: AbortSignal) => Promise<T>): Promise<T> {
  return abortOnSignal(async (signal) => {
    const { pool, close } = await openDatabase(config, 'tocsin-archive', 'beside, existing', signal);
    try {
      return await work(pool, signal);
    } finally {
      await close();
    }
  });
}

function withArchive<T>(
  config: Config,
  work: (pool: Pool, archive: EventArchive, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { archive: address } = config;
  if (address === null) throw new CommandError('ARCHIVE_URL is not set: there is no archive.');
  return withDatabase(config, async (pool, signal) => {
    const { openArchive } = await import('../events/archive/open-archive.ts');
    const archive = await openArchive(address.url.href, address.cluster);
    try {
      return await work(pool, archive, signal);
    } finally {
      await archive.close();
    }
  });
}

/** Moves until nothing is left, or another process moves. */
async function moveNow(
  { logLevel, retentionDays }: Config,
  opened: { pool: Pool; archive: EventArchive },
  signal: AbortSignal,
): Promise<void> {
  const { runArchive } = await import('../maintenance/archive/archive-loop.ts');
  const { Mover } = await import('../maintenance/archive/mover.ts');
  const dependencies = {
    ...opened,
    unlimitedPool: opened.pool,
    processId: randomUUID(),
    log: createLog(logLevel),
    metrics: createArchiveMetrics([]),
    clock: systemClock,
    databaseTime: findDatabaseTime,
    retentionDays,
  };
  const mover = new Mover(dependencies);
  // The first round of a new archive only makes its state.
  for (let idle = 0; idle < 2 && !signal.aborted; )
    idle = (await runArchive(mover, dependencies, signal)) === 'idle' ? idle + 1 : 0;
}
