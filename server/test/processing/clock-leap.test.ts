import { describe, expect, it } from 'vitest';
import { confirmTime, describeRetention } from '../../src/cli/retention.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { Maintenance } from '../../src/maintenance/maintenance.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/roles/metrics.ts';
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { rounds } from '../support/test-length.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-11-21T12:00:00Z');

/** A machine with its clocks and its worker. */
class Machine {
  readonly database: TestDatabase;
  readonly lines: { level: string; msg: string }[] = [];
  readonly metrics = createMetrics();
  retentionDays = 90;
  nowMs = START_MS;
  databaseAheadMs = 0;
  #monotonicMs = 0;
  #maintenance: Maintenance;

  constructor(database: TestDatabase) {
    this.database = database;
    this.#maintenance = this.#start();
  }

  get dependencies() {
    const { pool } = this.database;
    const databaseTime = async () => this.nowMs + this.databaseAheadMs;
    return { pool, databaseTime, clock: { now: () => this.nowMs } };
  }

  restart(): void {
    this.#maintenance = this.#start();
  }

  /** Lets time pass, with a round of maintenance at the end of each interval. */
  async run(durationMs: number, intervalMs = HOUR_MS): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += intervalMs) {
      this.nowMs += intervalMs;
      this.#monotonicMs += intervalMs;
      await this.maintain();
    }
  }

  async maintain(): Promise<void> {
    while (await this.#maintenance.run());
  }

  /** Reports the liveness of ingestion up to now. */
  async wasPresent(durationMs: number): Promise<void> {
    const until = new Date(this.nowMs);
    await this.database.pool.query(
      'INSERT INTO intake_presence (process_id, since, until, told_at) VALUES (gen_random_uuid(), $1, $2, $2)',
      [new Date(this.nowMs - durationMs), until],
    );
  }

  metric = async (name: string) => {
    const text = await this.metrics.registry.metrics();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };

  #start(): Maintenance {
    return new Maintenance({
      ...this.dependencies,
      monotonicMs: () => this.#monotonicMs,
      log: createLog('info', { write: (line: string) => void this.lines.push(JSON.parse(line)) }),
      metrics: this.metrics,
      retentionDays: this.retentionDays,
    });
  }
}

// Created once: the hours of its 80 days are rolled up a day per round.
const filled = await fill();

async function fill(): Promise<TestDatabase> {
  const machine = new Machine(await createTestDatabase());
  await machine.run(MINUTE_MS, MINUTE_MS);
  for (const days of [0, 30, 60, 80]) await store(machine, machine.nowMs - days * DAY_MS);
  await machine.maintain();
  return machine.database;
}

/** Returns a machine with a history, and with data of every kind that maintenance removes. */
async function aFilledMachine(): Promise<Machine> {
  const machine = new Machine(await copyTestDatabase(filled));
  await machine.run(MINUTE_MS, MINUTE_MS);
  return machine;
}

/** Stores an event, a claim, a dead letter, a decision, a session and a count of the same time. */
async function store({ database: { pool } }: Machine, timeMs: number): Promise<void> {
  await ensurePartitions(pool, timeMs, timeMs);
  const [id, time] = [newUuid(timeMs), new Date(timeMs)];
  await pool.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
        fingerprint, correlation, payload) VALUES ($1, $1, $1, $2, 'info', 't', 'm', 'c', 'f', '{}', '{}')`,
    [id, time],
  );
  await pool.query(
    `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, count) VALUES ($1, $1, $2, 'info', 't', 1)`,
    [id, time],
  );
  await pool.query(
    `INSERT INTO dead_letters (project_id, id, kind, title, event, events, sql_state, reason, created_at)
      VALUES ($1, $1, 'event', '', '{}', 1, '22000', 'r', $2)`,
    [id, time],
  );
  await pool.query(
    `INSERT INTO users (id, name, email, password_hash, created_at) VALUES ($1, 'Ada', $2, 'h', $3)`,
    [id, `${id}@example.com`, time],
  );
  await pool.query(
    `INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $1, $2, $2::timestamptz + interval '90 days')`,
    [id, time],
  );
}

async function countAll({ database: { pool } }: Machine): Promise<Record<string, number>> {
  const { rows } = await pool.query(
    `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM event_counts) AS counts,
        (SELECT count(*) FROM dead_letters) AS letters, (SELECT count(*) FROM sessions) AS sessions`,
  );
  return rows[0];
}

const ALL = { events: 4, counts: 4, letters: 4, sessions: 4 };

describe('a clock that leaps 200 days ahead', async () => {
  const machine = await aFilledMachine();

  it('removes nothing while it is wrong, whatever restarts meanwhile', async () => {
    machine.nowMs += 200 * DAY_MS;
    await machine.run(10 * MINUTE_MS, MINUTE_MS);
    machine.restart();
    await machine.run(10 * HOUR_MS);
    machine.restart();
    await machine.run(10 * HOUR_MS);
    expect(await countAll(machine)).toEqual(ALL);
  });

  it('logs, counts and shows a clock that leaps 200 days ahead, at once and then each hour', async () => {
    const errors = machine.lines.filter(({ level }) => level === 'error');
    // 21 rounds an hour apart, and one line for 10 rounds a minute apart.
    expect(errors).toHaveLength(21);
    expect(errors[0]).toMatchObject({
      lastMaintenance: new Date(START_MS + MINUTE_MS).toISOString(),
      hoursLeft: 24,
    });
    // Once by each process that ran.
    expect(await machine.metric('tocsin_clock_leaps_total')).toBe(3);
    expect(await machine.metric('tocsin_retention_held')).toBe(1);
    const told = await describeRetention(machine.dependencies, 90);
    expect(told.at(-1)).toMatch(/^Nothing is removed: .* after 6 more hours/);
  });

  it('removes nothing once a leaping clock is right again', async () => {
    machine.nowMs -= 200 * DAY_MS;
    await machine.run(2 * HOUR_MS);
    expect(await countAll(machine)).toEqual(ALL);
    expect(await machine.metric('tocsin_retention_held')).toBe(0);
    expect((await describeRetention(machine.dependencies, 90)).at(-1)).toMatch(/^One week an hour/);
  });

  it('removes nothing if only the clock of the process or only that of the database leaps', async () => {
    machine.databaseAheadMs = 200 * DAY_MS;
    await machine.run(2 * HOUR_MS);
    machine.nowMs += 200 * DAY_MS;
    machine.databaseAheadMs = -200 * DAY_MS;
    await machine.run(2 * HOUR_MS);
    expect(await countAll(machine)).toEqual(ALL);
    expect(await machine.metric('tocsin_retention_held')).toBe(0);
  });
});

describe('a service that was switched off for months', async () => {
  const machine = await aFilledMachine();
  machine.nowMs += 80 * DAY_MS;
  machine.restart();

  it('removes nothing for a day, then one week an hour, the oldest first', async () => {
    await machine.run(24 * HOUR_MS);
    expect(await countAll(machine)).toEqual(ALL);
    await machine.wasPresent(24 * HOUR_MS);
    await machine.run(HOUR_MS);
    // Three events are now too old, each in a week of its own.
    expect(await countAll(machine)).toMatchObject({ events: 3, counts: 3 });
    await machine.run(30 * MINUTE_MS, 10 * MINUTE_MS);
    expect(await countAll(machine)).toMatchObject({ events: 3, counts: 3 });
    await machine.run(3 * HOUR_MS, 10 * MINUTE_MS);
    expect(await countAll(machine)).toMatchObject({ events: 1, counts: 1, letters: 1 });
  });
});

describe('a person who says that the clock is right', async () => {
  const machine = await aFilledMachine();

  it('removes everything too old at once, and nothing else, after a person confirms the clock', async () => {
    machine.nowMs += 80 * DAY_MS;
    machine.restart();
    await machine.run(HOUR_MS);
    expect(await countAll(machine)).toEqual(ALL);
    await confirmTime(machine.dependencies);
    expect((await describeRetention(machine.dependencies, 90)).join('\n')).toMatch(
      /older, by their first day: \d.*\nThe time is confirmed/s,
    );
    await machine.run(MINUTE_MS, MINUTE_MS);
    expect(await countAll(machine)).toMatchObject({ events: 1, counts: 1, letters: 1 });
    expect((await describeRetention(machine.dependencies, 90)).join('\n')).toMatch(
      /first day: none\..*\nOne week an hour/s,
    );
  });

  it('does not extend the confirmation of the clock to a later leap', async () => {
    await confirmTime(machine.dependencies);
    machine.nowMs += 200 * DAY_MS;
    await machine.run(2 * HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ events: 1, counts: 1, letters: 1 });
    machine.nowMs -= 200 * DAY_MS;
    await machine.run(2 * HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ events: 1, counts: 1, letters: 1 });
  });
});

describe('an old backup that is looked through without ingestion', async () => {
  const machine = await aFilledMachine();

  it('keeps the events of an old backup without ingestion, however long the service runs', async () => {
    machine.nowMs += 300 * DAY_MS;
    machine.restart();
    await machine.run(rounds(30, 100) * HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ events: 4, counts: 4, letters: 4 });
    const told = await describeRetention(machine.dependencies, 90);
    expect(told.join('\n')).toMatch(/first day: none\.\nAges are counted from 2026-11-21T12:01:00/);
  });

  it('removes events of an old backup that are too old once a person confirms the time', async () => {
    await confirmTime(machine.dependencies);
    await machine.run(MINUTE_MS, MINUTE_MS);
    expect(await countAll(machine)).toMatchObject({ events: 0, counts: 0, letters: 0 });
  });
});

describe('a retention of a week', () => {
  it('keeps counts by minute and hour for 36 days after their events are gone, since detection reads them', async () => {
    const machine = await aFilledMachine();
    machine.retentionDays = 7;
    machine.restart();
    await machine.run(6 * HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ events: 1, counts: 2, letters: 1 });
    const { rows } = await machine.database.pool.query<{ days: number }>(
      `SELECT DISTINCT date_part('day', $1 - hour)::integer AS days FROM event_hours ORDER BY 1`,
      [new Date(START_MS + 7 * HOUR_MS)],
    );
    expect(rows).toEqual([{ days: 0 }, { days: 30 }]);
    await machine.run(6 * DAY_MS, DAY_MS / 2);
    await machine.wasPresent(6 * DAY_MS);
    await machine.run(HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ counts: 1 });
  });
});

describe('projects that keep events for 85 days', async () => {
  const machine = await aFilledMachine();
  const { pool } = machine.database;
  await pool.query(
    `INSERT INTO organizations (id, name, created_at) SELECT project_id, 'Shop', now() FROM events`,
  );
  await pool.query(
    `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at, retention)
      SELECT project_id, project_id, 'Shop', 'production', 'SHOP', now(), '{"info": 85}' FROM events`,
  );

  it('removes no event that is too old by a clock that leaps, until a person confirms the clock', async () => {
    machine.nowMs += 8 * DAY_MS;
    machine.restart();
    // Received by the wrong clock: not only that clock says that time has passed.
    await store(machine, machine.nowMs);
    await machine.run(2 * HOUR_MS);
    expect(await countAll(machine)).toMatchObject({ events: 5 });
    await confirmTime(machine.dependencies);
    await machine.run(MINUTE_MS, MINUTE_MS);
    expect(await countAll(machine)).toMatchObject({ events: 4, counts: 5 });
  });
});
