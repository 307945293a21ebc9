import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@tocsin/simulation/random';
import type { TestDatabase } from '../support/database.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';

/** Mean time between two steps of a worker: the kills need work in progress, not a load. */
const MEAN_PAUSE_MS = 50;
/** Errors of requests where their process is killed. */
const KILLED = /ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|^aborted$/;

/** Two processes with all roles on one database, which are killed while work goes on with those that run. */
export class KilledPair {
  readonly #database: TestDatabase;
  readonly #directory: string;
  readonly #random: Random;
  readonly #programs: RunningProgram[] = [];
  readonly #work: Promise<void>[] = [];
  readonly #ending = new AbortController();
  kills = 0;
  /** Errors of the work that no kill explains. */
  readonly failures: unknown[] = [];

  constructor(database: TestDatabase, directory: string, random: Random) {
    this.#database = database;
    this.#directory = directory;
    this.#random = random;
  }

  async start(): Promise<RunningProgram> {
    const environment = {
      DATABASE_URL: this.#database.connectionString,
      DATABASE_POOL_SIZE: '4',
      ENCRYPTION_KEY: 'a-key-of-tests-that-encrypts-nothing-real',
    };
    const program = await startProgram(this.#directory, { environment });
    this.#programs.push(program);
    return program;
  }

  /** Kills one of the processes, or all of them. @returns how many */
  async kill(): Promise<number> {
    const isOne = this.#random.uniform() < 3 / 4;
    const victims = isOne ? this.#programs.splice(this.#draw(), 1) : this.#programs.splice(0);
    this.kills += victims.length;
    for (const victim of victims) victim.signal('SIGKILL');
    await Promise.all(victims.map(({ ended }) => ended));
    return victims.length;
  }

  /** Draws the place of a process that runs. */
  #draw(): number {
    return Math.floor(this.#random.uniform() * this.#programs.length);
  }

  /** Repeats a step with a process that runs, until all work ends. */
  work(step: (program: RunningProgram, turn: number) => Promise<unknown>): void {
    this.#work.push(this.#repeat(step));
  }

  /** Ends the work; that which is under way is finished first. */
  async endWork(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#work);
  }

  async end(): Promise<void> {
    await this.endWork();
    for (const program of this.#programs) program.signal('SIGKILL');
    await Promise.all(this.#programs.map(({ ended }) => ended));
  }

  async #repeat(step: (program: RunningProgram, turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.#ending.signal.aborted; turn++) {
      const program = this.#programs[this.#draw()];
      try {
        if (program) await step(program, turn);
      } catch (error) {
        if (!(error instanceof Error && KILLED.test(error.message))) this.failures.push(error);
      }
      await pause(2 * MEAN_PAUSE_MS * this.#random.uniform());
    }
  }
}
