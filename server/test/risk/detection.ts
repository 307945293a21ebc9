import { createHash, randomUUID } from 'node:crypto';
import { type ProjectDetector, toBytes } from '@tocsin/detector';
import type { Severity } from '../../src/events/severity.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { inTurns } from '../../src/platform/timing/turns.ts';
import { DetectorStore } from '../../src/risk/live/detector-store.ts';
import { loadDetectors } from '../../src/risk/live/journal.ts';
import { findProgress } from '../../src/risk/live/journal-queries.ts';
import { load } from '../../src/risk/live/offload.ts';
import { catchUp } from '../../src/risk/live/round.ts';
import { RiskWatch } from '../../src/risk/live/watch.ts';
import { rebuildDetector } from '../../src/risk/rebuild/rebuild-detector.ts';
import { Rebuilder } from '../../src/risk/rebuild/rebuilder.ts';
import type { runRebuild } from '../../src/risk/rebuild/run-rebuild.ts';
import { createMetrics } from '../../src/roles/metrics.ts';
import { StillClock } from '../support/clock.ts';
import { startTestService, type TestService, type TestUser } from '../support/service.ts';
import { insertInboxRow } from './support.ts';

/** Start of the tests' time, a Monday. */
const START_MS = Date.UTC(2026, 0, 5);
/** Offset into a minute: events of the minutes before are complete. */
const INTO_MINUTE_MS = 10_000;
/** Ingestion process that the tests simulate. */
const PROCESS_ID = '00000000-0000-0000-0000-000000000001';
export const MINUTE_MS = 60_000;
/** Limit that no test reaches: no project is offloaded. */
export const UNBOUNDED = 1_000_000;

export interface SentEvents {
  project: number;
  events: number;
  severity?: Severity;
  type?: string;
}

/** Detection on its own database, round by round, at times that a test sets. */
export class Detection {
  readonly clock = new StillClock(START_MS + INTO_MINUTE_MS);
  readonly service: TestService;
  readonly user: TestUser;
  /** Ids of the projects, as in answers. */
  readonly projects: string[];
  readonly #uuids: string[];
  watch: RiskWatch;
  rebuilder: Rebuilder;
  /** Rebuilds detectors in this thread: one of its own takes a second to start. */
  rebuild: typeof runRebuild = async (task) => rebuildDetector(task);
  readonly #maxSeries: number;
  #liveSince = this.clock.now();

  private constructor(service: TestService, user: TestUser, projects: string[], maxSeries: number) {
    this.service = service;
    this.user = user;
    this.projects = projects;
    this.#uuids = projects.map((id) => toUuid('proj', id) ?? '');
    this.#maxSeries = maxSeries;
    this.rebuilder = this.#createRebuilder();
    this.watch = this.#createWatch();
  }

  static async start(projects: number, maxSeries: number): Promise<Detection> {
    const service = await startTestService({ roles: ['management'] });
    const user = await service.signUp();
    const ids: string[] = [];
    for (let i = 0; i < projects; i++) ids.push((await user.createProject()).id);
    return new Detection(service, user, ids, maxSeries);
  }

  /** Sends events, advances the clock, and runs rounds until none is due. */
  async pass(minutes: number, sent: SentEvents[] = []): Promise<void> {
    await this.send(sent);
    this.clock.advance(minutes * MINUTE_MS);
    await this.runRounds();
  }

  async send(sent: SentEvents[]): Promise<void> {
    await this.#insert(this.#deltasOf(sent, this.clock.now()));
  }

  #deltasOf(sent: SentEvents[], bucketMs: number) {
    return sent.map(({ project, events, severity = 'info', type = 'order' }) => ({
      projectId: this.#uuids[project],
      type,
      severity,
      source: 'web',
      bucketMs,
      count: events,
      lastMs: bucketMs,
    }));
  }

  async #insert(deltas: { bucketMs: number }[]): Promise<void> {
    if (deltas.length === 0) return;
    await insertInboxRow(this.service.database.pool, deltas);
  }

  /** Inserts events of the following minutes, as processing does after a downtime, without running a round. */
  async sendMinutes(minutes: SentEvents[][]): Promise<void> {
    const startMs = this.clock.now();
    await this.#insert(minutes.flatMap((sent, minute) => this.#deltasOf(sent, startMs + minute * MINUTE_MS)));
    this.clock.advance(minutes.length * MINUTE_MS);
  }

  async runRounds(): Promise<void> {
    while (await this.runOnce());
  }

  async runOnce(): Promise<boolean> {
    await this.#reportLiveness();
    return this.watch.runOnce();
  }

  /** Ends the liveness intervals of its ingestion process, which is not current from here on. */
  async endLiveness(): Promise<void> {
    await this.service.database.pool.query(
      `UPDATE intake_presence SET told_at = '-infinity' WHERE process_id = '${PROCESS_ID}'`,
    );
  }

  /** Simulates a downtime: no process accepts events for so many minutes. */
  async passWithoutIngestion(minutes: number): Promise<void> {
    await this.#reportLiveness();
    this.clock.advance(minutes * MINUTE_MS);
    this.#liveSince = this.clock.now();
  }

  /** Ends the leader without a save, and lets another worker take over. */
  async replaceLeader(maxSeries = this.#maxSeries): Promise<void> {
    await this.service.database.pool.query('DELETE FROM leases');
    this.rebuilder = this.#createRebuilder();
    this.watch = this.#createWatch(maxSeries);
  }

  /** @returns the number of the new project */
  async addProject(user = this.user): Promise<number> {
    const { id } = await user.createProject();
    this.projects.push(id);
    return this.#uuids.push(toUuid('proj', id) ?? '') - 1;
  }

  /** Returns a hash of each project's detector state after the last round. */
  async states(): Promise<string[]> {
    return (await this.detectors()).map((detector) =>
      detector ? createHash('sha256').update(toBytes(detector.save())).digest('hex') : '',
    );
  }

  /** Returns the detector of each project as a new leader would load it, after the last round. */
  async detectors(): Promise<(ProjectDetector | undefined)[]> {
    const { pool } = this.service.database;
    const { log } = this.service.context;
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const progress = await findProgress(client);
      const store = new DetectorStore(1_000_000);
      await loadDetectors(client, store, progress, log);
      await load(client, store, this.#uuids, { beforeRound: progress.lastRound + 1, log });
      for (const detector of store.detectors.values())
        await inTurns(catchUp(detector, progress.timeMs, progress.pastDowntimes));
      return this.#uuids.map((projectId) => store.detectors.get(projectId));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  /** Lists the incidents of all projects, with the project's number. */
  async incidents(): Promise<{ project: number; number: number; title: string; status: string }[]> {
    const { rows } = await this.service.database.pool.query<{
      projectId: string;
      number: number;
      title: string;
      status: string;
    }>(
      'SELECT project_id AS "projectId", risk_number AS number, title, status FROM incidents WHERE risk_number IS NOT NULL',
    );
    return rows
      .map(({ projectId, ...incident }) => ({ project: this.#uuids.indexOf(projectId), ...incident }))
      .toSorted((left, right) => left.project - right.project || left.number - right.number);
  }

  /** Lists the decisions on all projects, sorted: the order in which projects are evaluated has no meaning. */
  async decisions(): Promise<string[]> {
    const { rows } = await this.service.database.pool.query<{ projectId: string; sentence: string }>(
      `SELECT project_id AS "projectId", concat_ws(' ', outcome, reason, sentence) AS sentence FROM risk_decisions`,
    );
    return rows
      .map(({ projectId, sentence }) => `${this.#uuids.indexOf(projectId)} ${sentence}`)
      .toSorted((left, right) => (left < right ? -1 : 1));
  }

  /** Lists the offloaded projects, each with the last round of its state. */
  async listOffloaded(): Promise<{ projectId: string; round: number }[]> {
    const { rows } = await this.service.database.pool.query<{ projectId: string; round: number }>(
      `SELECT project_id AS "projectId", round FROM risk_state WHERE visit_ms IS NOT NULL ORDER BY project_id`,
    );
    return rows;
  }

  /** Counts the inbox rows that no round has taken. */
  async waiting(): Promise<number> {
    return (await this.service.database.pool.query('SELECT FROM risk_inbox')).rowCount ?? 0;
  }

  /** Records the duration of each round from now on: saving the state deletes the rounds. */
  async keepRounds(): Promise<void> {
    await this.service.database.pool.query(
      `CREATE TABLE kept_rounds (minutes float8);
      CREATE RULE keep AS ON INSERT TO risk_rounds DO ALSO INSERT INTO kept_rounds
        SELECT ((NEW.round::jsonb ->> 'timeMs')::float8 - (NEW.round::jsonb ->> 'sinceMs')::float8) / ${MINUTE_MS}`,
    );
  }

  /** Returns these durations in minutes, the longest first. */
  async keptRounds(): Promise<number[]> {
    const { rows } = await this.service.database.pool.query<{ minutes: number }>(
      'SELECT minutes FROM kept_rounds ORDER BY 1 DESC',
    );
    return rows.map(({ minutes }) => minutes);
  }

  /** Counts the rounds since the states were saved. */
  async countRounds(): Promise<number> {
    return (await this.service.database.pool.query('SELECT FROM risk_rounds')).rowCount ?? 0;
  }

  #createRebuilder(): Rebuilder {
    const store = { pool: this.service.database.pool, log: createLog('silent') };
    return new Rebuilder(store, (task, signal, maxRunMs) => this.rebuild(task, signal, maxRunMs));
  }

  #createWatch(maxSeries = this.#maxSeries): RiskWatch {
    const { pool } = this.service.database;
    return new RiskWatch({
      pool,
      clock: this.clock,
      log: createLog('silent'),
      metrics: createMetrics(['worker']),
      holderId: randomUUID(),
      rebuilds: this.rebuilder,
      maxSeries,
    });
  }

  async #reportLiveness(): Promise<void> {
    // Between the intervals the process was down, and not lost.
    await this.endLiveness();
    await this.service.database.pool.query(
      `INSERT INTO intake_presence (process_id, since, until, told_at)
        VALUES ('${PROCESS_ID}', $1, $2, clock_timestamp())
        ON CONFLICT (process_id, since) DO UPDATE SET until = excluded.until, told_at = excluded.told_at`,
      [new Date(this.#liveSince), new Date(this.clock.now())],
    );
  }
}
