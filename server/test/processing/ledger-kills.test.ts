import { rm } from 'node:fs/promises';
import { Random } from '@tocsin/simulation/random';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { signUpAt } from '../support/exactly-once.ts';
import { BUILD_TIMEOUT_MS, buildServer, type RunningProgram, startProgram } from '../support/program.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, countsOf, queueBatch, uuidOf } from './support.ts';

/*
 * Processes with all roles on one database are killed by SIGKILL while events come in: with repeats, events that the
 * database refuses, dead letters that are replayed and discarded, and samples of a storm.
 */
const KILLS = rounds(2, 100);
const ACCEPTED_A_KILL = 600;

const database = await createTestDatabase();
const { pool } = database;
const directory = await makeScratchDirectory();
let program: RunningProgram;

beforeAll(buildServer, BUILD_TIMEOUT_MS);
afterAll(async () => {
  program.signal('SIGKILL');
  await program.ended;
  await rm(directory, { recursive: true, force: true });
});

it(
  'balances the ledger at every read, and loses no event, although processes are killed',
  async () => {
    const random = new Random(drawSeed());
    program = await start();
    const { api, project } = await signUpAt(program);
    expect((await api.patch(`/projects/${project.id}`, { sampleAbove: 100 })).status).toBe(200);
    const acknowledged = new Set<string>();
    const unbalanced: unknown[] = [];
    let reads = 0;

    for (let kill = 0; kill < KILLS; kill++) {
      const admin = new ApiClient(program.managementUrl);
      admin.cookie = api.cookie;
      const ingest = new ApiClient(program.ingestionUrl, { 'x-api-key': project.apiKey });
      const until = acknowledged.size + ACCEPTED_A_KILL * random.uniform();
      let isAlive = true;
      const repeat = async (step: (turn: number) => Promise<void>) => {
        for (let turn = 0; isAlive; turn++) await step(turn).catch(() => {}); // Its process is killed.
      };
      const work = [
        repeat(async (turn) => {
          const { status, body } = await ingest.post('/ingest/bulk', Array(50).fill(anEvent(turn)));
          if (status === 202) for (const { jobId } of body) acknowledged.add(jobId);
        }),
        repeat(async (turn) => {
          const headers = { 'idempotency-key': `${kill} ${turn >> 1}` };
          const { status, body } = await ingest.post('/ingest/events', anEvent(turn), { headers });
          if (status === 202) acknowledged.add(body.jobId);
        }),
        repeat(async (turn) => {
          const letters = `/projects/${project.id}/dead-letters`;
          if (turn % 2 === 0) await admin.post(`${letters}/replay`);
          else await admin.delete(letters);
        }),
        repeat(async () => {
          const { status, body } = await admin.get(`/projects/${project.id}/ledger`);
          if (status !== 200) return;
          reads++;
          if (sumOf(body) !== body.accepted) unbalanced.push(body);
        }),
      ];
      await queueBatch(pool, project.id, [
        aQueuedEvent(project.id),
        { ...aQueuedEvent(project.id), severity: 'none' },
      ]);
      await waitFor('enough events', () => acknowledged.size >= until, 60_000);
      program.signal('SIGKILL');
      await program.ended;
      isAlive = false;
      await Promise.all(work);
      program = await start();
    }

    const reader = new ApiClient(program.managementUrl);
    reader.cookie = api.cookie;
    const ledger = await waitFor('an empty queue', async () => {
      const { body } = await reader.get(`/projects/${project.id}/ledger`);
      return body.queued === 0 && body;
    });
    expect(unbalanced).toEqual([]);
    expect(reads).toBeGreaterThan(KILLS);
    expect(sumOf(ledger)).toBe(ledger.accepted);
    expect(await countsOf(pool, project.id)).toMatchObject({
      events: ledger.stored,
      distinct: ledger.stored,
    });
    const { rows } = await pool.query<{ dead: number; missing: number }>(
      `SELECT (SELECT coalesce(sum(events), 0)::int FROM dead_letters WHERE project_id = $1) AS dead,
        (SELECT count(*)::int FROM unnest($2::uuid[]) AS sent (id) WHERE id NOT IN (SELECT id FROM events)
          AND NOT EXISTS (SELECT FROM sampled_events WHERE uuid_hash(sent.id) = ANY (hashes))) AS missing`,
      [uuidOf(project.id), [...acknowledged].map((jobId) => toUuid('job', jobId))],
    );
    expect(rows).toEqual([{ dead: ledger.dead, missing: 0 }]);
    expect(ledger.sampled).toBeGreaterThan(0);
  },
  scaled(rounds(180_000, 1_800_000)),
);

function start(): Promise<RunningProgram> {
  const environment = {
    DATABASE_URL: database.connectionString,
    ENCRYPTION_KEY: 'a-key-of-tests-that-encrypts-nothing-real',
  };
  return startProgram(directory, { environment });
}

function anEvent(turn: number) {
  return { type: 'load', severity: turn % 2 === 0 ? 'ERROR' : 'INFO', message: 'Order was not paid' };
}

function sumOf(ledger: Record<string, number>): number {
  const { stored = 0, queued = 0, duplicate = 0, dead = 0 } = ledger;
  const { dropped = 0, sampled = 0, erased = 0, expired = 0 } = ledger;
  return stored + queued + duplicate + dead + dropped + sampled + erased + expired;
}
