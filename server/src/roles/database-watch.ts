import path from 'node:path';
import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { readSeenPosition, writeSeenPosition } from '../database/position-file.ts';
import { PositionWatch, type Rewind, type SeenPosition } from '../database/position-watch.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Loop, LoopDeclaration } from '../platform/loop.ts';
import type { Stoppable } from '../platform/shutdown.ts';
import { isoTime } from '../platform/time.ts';
import { announceRewind } from '../tenancy/organizations/announce-rewind.ts';
import type { Metrics } from './metrics.ts';
import type { RoleName } from './role-names.ts';

/** Interval at which the position is written for the process after this one. */
const SAVE_MS = 10_000;

interface DatabaseWatchOptions {
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'databaseRewound'>;
  /** File that hands the position on to the next process; null: a restart forgets it. */
  file: string | null;
}

/** Watches for a database that went back in time: logs and counts it, and tells OWNERs once it is the database. */
export class DatabaseWatch {
  readonly positions: PositionWatch;
  readonly #options: DatabaseWatchOptions;
  #untold: Rewind[] = [];
  /** JSON of what this process read from the file or wrote last. */
  #saved: string | null;
  #loop: Loop | null = null;

  constructor(options: DatabaseWatchOptions, seen: SeenPosition | null = null) {
    this.#options = options;
    this.#saved = seen && JSON.stringify(seen);
    this.positions = new PositionWatch({
      clock: options.clock,
      onRewind: (rewind) => this.#report(rewind),
      onTaken: (rewind) => {
        this.#untold.push(rewind);
        this.#loop?.wake();
      },
      seen,
    });
  }

  start(createLoop: (declaration: LoopDeclaration) => Loop, pool: Pool): Stoppable {
    const loop = createLoop({
      name: 'database watch',
      round: async () => {
        await this.#tell(pool);
        await this.#save();
        return 'idle';
      },
      idleDelayMs: SAVE_MS,
    });
    this.#loop = loop;
    loop.start();
    return {
      finishBatch: async () => {
        await loop.stop();
        await this.#save();
      },
    };
  }

  #report(rewind: Rewind): void {
    const { log, metrics } = this.#options;
    metrics.databaseRewound.inc();
    const dataUntil = rewind.fromMs === null ? null : isoTime(rewind.fromMs);
    log.error(
      { lastCommitAt: isoTime(rewind.untilMs), dataUntil },
      'the database went back in time: it lacks commits that were acknowledged; tocsin accept-database accepts it as it is',
    );
  }

  async #tell(pool: Pool): Promise<void> {
    for (let [rewind] = this.#untold; rewind; [rewind] = this.#untold) {
      await announceRewind({ pool, clock: this.#options.clock }, rewind);
      this.#untold.shift();
    }
  }

  /** Not while OWNERs are untold: the next process must find the loss, too. */
  async #save(): Promise<void> {
    const { seen } = this.positions;
    const { file } = this.#options;
    if (file === null || !seen || this.#untold.length > 0) return;
    const text = JSON.stringify(seen);
    if (text === this.#saved) return;
    if (await writeSeenPosition(file, { ...seen }, this.#saved)) this.#saved = text;
  }
}

/**
 * Only ingestion has the directory of the spool. With the embedded database nothing is written: a copy of its directory
 * would have the file as well.
 */
export async function createDatabaseWatch(
  { roleNames, ...options }: Omit<DatabaseWatchOptions, 'file'> & { roleNames: readonly RoleName[] },
  { databaseUrl, spoolDirectory }: Pick<Config, 'databaseUrl' | 'spoolDirectory'>,
): Promise<DatabaseWatch> {
  const isKept = roleNames.includes('ingestion') && databaseUrl !== null && spoolDirectory !== null;
  const file = isKept ? path.join(spoolDirectory, 'database-position.json') : null;
  return new DatabaseWatch({ ...options, file }, file === null ? null : await readSeenPosition(file));
}
