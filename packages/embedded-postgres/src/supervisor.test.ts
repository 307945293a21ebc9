import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EmbeddedPostgres } from './options.ts';
import type { Exit } from './process/postmaster.ts';
import { Supervisor } from './supervisor.ts';

/** A server that ends and starts when the test does it. */
class FakePostgres implements EmbeddedPostgres {
  connection = { host: '', port: 0, user: '', password: '', database: '' };
  maintenance = this.connection;
  relaunches = 0;
  stops = 0;
  failure: Error | null = null;
  lose: () => void = () => {};
  readonly lost = new Promise<void>((resolve) => (this.lose = resolve));
  #end: (exit: Exit) => void = () => {};
  #exited = this.#launch();

  get exited(): Promise<Exit> {
    return this.#exited;
  }
  end(): void {
    this.#end({ code: 1, signal: null });
  }
  lastLines(): string {
    return 'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
  }
  async relaunch(): Promise<void> {
    this.relaunches++;
    if (this.failure) throw this.failure;
    this.#exited = this.#launch();
  }
  async stop(): Promise<void> {
    this.stops++;
  }
  #launch(): Promise<Exit> {
    return new Promise((resolve) => (this.#end = resolve));
  }
}

describe('a supervised PostgreSQL', () => {
  let postgres: FakePostgres;
  let supervisor: Supervisor;
  let lines: string[];
  let prepared: number;
  let lost: number;
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    vi.useFakeTimers();
    postgres = new FakePostgres();
    lines = [];
    prepared = 0;
    const log = pino(
      { level: 'info', formatters: { level: (label) => ({ level: label }) } },
      { write: (line) => void lines.push(line) },
    );
    const prepare = async () => void prepared++;
    lost = 0;
    supervisor = new Supervisor(postgres, { log, prepare, onLost: () => void lost++ });
  });

  afterEach(async () => {
    await supervisor.stop();
    vi.useRealTimers();
  });

  it('restarts a PostgreSQL that ended by itself, and logs its last output', async () => {
    postgres.end();
    await pass(499);
    expect([supervisor.isDown, postgres.relaunches]).toEqual([true, 0]);
    await pass(1);
    expect([supervisor.isDown, postgres.relaunches, prepared]).toEqual([false, 1, 1]);
    expect(supervisor.restarts).toBe(1);
    expect(lines[0]).toContain('No space left on device');
  });

  it('retries with delays that double up to half a minute', async () => {
    postgres.failure = new Error('it did not start');
    postgres.end();
    const attempts: number[] = [];
    for (let second = 0; second < 130; second += 0.5) {
      const before = postgres.relaunches;
      await pass(500);
      if (postgres.relaunches > before) attempts.push(second + 0.5);
    }
    expect(attempts).toEqual([0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5, 121.5]);
    expect(supervisor.isDown).toBe(true);
    postgres.failure = null;
    await pass(30_000);
    expect(supervisor.isDown).toBe(false);
  });

  it('waits longer where it ends again and again, and as at first once it has run for a minute', async () => {
    for (const delayMs of [500, 1_000, 2_000]) {
      const before = postgres.relaunches;
      postgres.end();
      await pass(delayMs - 1);
      expect(postgres.relaunches).toBe(before);
      await pass(1);
      expect(postgres.relaunches).toBe(before + 1);
    }
    await pass(60_001);
    postgres.end();
    await pass(500);
    expect(postgres.relaunches).toBe(4);
  });

  it('retries at once where there is reason to', async () => {
    postgres.failure = new Error('no room');
    postgres.end();
    await pass(31_500);
    const before = postgres.relaunches;
    postgres.failure = null;
    supervisor.wake();
    await pass(0);
    expect([postgres.relaunches, supervisor.isDown]).toEqual([before + 1, false]);
  });

  it('does not restart PostgreSQL once the service stops, neither while it runs nor while it is down', async () => {
    await supervisor.stop();
    postgres.end();
    await pass(60_000);
    expect([postgres.relaunches, postgres.stops]).toEqual([0, 1]);

    const down = new FakePostgres();
    const other = new Supervisor(down, {
      log: pino({ level: 'silent' }),
      prepare: async () => {},
      onLost: () => {},
    });
    down.end();
    await pass(100);
    await other.stop();
    await pass(60_000);
    expect([down.relaunches, down.stops]).toEqual([0, 1]);
  });

  it('does not restart PostgreSQL, and reports it, once another process has taken over its data', async () => {
    postgres.lose();
    await pass(0);
    postgres.end();
    await pass(60_000);
    expect([postgres.relaunches, lost, supervisor.isDown]).toEqual([0, 1, true]);
    expect(lines.join()).toContain('another process has taken over');
  });
});
