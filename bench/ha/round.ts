import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@tocsin/simulation/random';
import pg from 'pg';
import type { Cluster } from './cluster.ts';
import type { Fault, Stage } from './faults.ts';
import {
  type Comparison,
  type ConditionSample,
  compare,
  dueAt,
  endOfInterruption,
  MIN_INTERRUPTION_MS,
} from './judge.ts';
import { Load } from './load.ts';
import { NODES } from './network.ts';
import { Readers } from './readers.ts';
import { DATABASE_URL, type Tocsin } from './roles.ts';

/** Before the fault; its moment within Patroni's turn is drawn. */
const CALM_MS = 5_000;
const TURN_MS = 3_000;
/** How long intake and reading are to be back, and then the cluster whole, before the load stops. */
const SETTLED_MS = 10_000;
const MAX_WAIT_MS = 180_000;
const PAUSE_MS = 500;

export interface Scene {
  cluster: Cluster;
  tocsin: Tocsin;
  /** Cookie of the user whose projects these are. */
  cookie: string;
  random: Random;
  rate: number;
}

export interface RoundResult extends Comparison {
  wrong: string[];
  faultAt: number;
  /** When the fault ended: a frozen primary is awake from then on. */
  endedAt: number;
  /** Times of the answered reads of each process. */
  readAt: number[][];
  /** Milliseconds from the fault to the end of the last interruption; null: it did not end. */
  intakeMs: number | null;
  readingMs: number | null;
  /** Milliseconds from the fault in which intake has to be back; null: the conditions for it did not return. */
  dueMs: number | null;
  answers: ReadonlyMap<number, number>;
}

/** One fault under load, from a whole cluster to a whole cluster. */
export async function runRound(scene: Scene, name: string, fault: Fault): Promise<RoundResult> {
  const { cluster, tocsin, random, rate } = scene;
  await cluster.waitUntilWhole();
  const stage = await findStage(cluster);
  const project = await createProject(scene, name);
  const load = new Load(tocsin.ingestion, random, project.apiKey);
  const readers = new Readers(tocsin.management, project.id, scene.cookie);
  const running = [load.run(`${project.id}-`, rate), readers.run()];
  await delay(CALM_MS + random.uniform() * TURN_MS);

  const faultAt = performance.now();
  const samples: ConditionSample[] = [];
  const watch = new AbortController();
  const watching = fault.againSeconds ? watchConditions(cluster, samples, watch.signal) : null;
  await fault.begin(stage);
  await delay(faultAt + fault.holdSeconds * 1_000 - performance.now());
  const endedAt = performance.now();
  await fault.end?.(stage);
  await waitUntilSettled([...load.acknowledgedAt, ...readers.answeredAt]);
  watch.abort();
  await fault.finish?.(stage);
  // A node that returns may interrupt, and may take the key back: the load goes on until all is calm.
  await cluster.waitUntilWhole();
  await delay(SETTLED_MS);
  await waitUntilSettled([...load.acknowledgedAt, ...readers.answeredAt]);
  const until = performance.now();
  await load.stop();
  await readers.waitUntilStored(MAX_WAIT_MS);
  // The stored events are counted in a whole cluster, and read until then.
  await cluster.waitUntilWhole();
  readers.stop();
  await Promise.all([...running, watching]);

  const stored = await countStored(project.id);
  const after = (at: number | null) => (at === null ? null : at - faultAt);
  return {
    ...compare(load.sent, stored),
    wrong: readers.wrong,
    faultAt,
    endedAt,
    readAt: readers.answeredAt,
    intakeMs: after(endOfInterruption(load.acknowledgedAt, faultAt, until)),
    readingMs: after(endOfInterruption(readers.answeredAt, faultAt, until)),
    dueMs: after(dueAt(faultAt, fault, samples)),
    answers: load.answers,
  };
}

async function findStage(cluster: Cluster): Promise<Stage> {
  const primary = await cluster.find('primary');
  const standby = await cluster.find('sync');
  const third = NODES.find((node) => node !== primary && node !== standby);
  if (third === undefined) throw new Error('The primary is its own standby.');
  return { cluster, primary, standby, third };
}

async function createProject({ tocsin, cookie }: Scene, name: string) {
  const [client] = tocsin.management;
  const sent = { method: 'POST', headers: { cookie }, body: { name } } as const;
  for (;;) {
    const answer = await client?.send('/projects', sent);
    // The service of the same commit answers in its documented form.
    if (answer?.status === 201) return answer.body as { id: string; apiKey: string };
    await delay(PAUSE_MS);
  }
}

/** HAProxy counts as the way to them. */
async function watchConditions(
  cluster: Cluster,
  samples: ConditionSample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const at = performance.now();
    const [etcd, running] = await Promise.all([cluster.countEtcd(), cluster.listRunning()]);
    samples.push({ at, holds: etcd >= 2 && running.length >= 2 && cluster.hasHaproxy });
    await delay(PAUSE_MS);
  }
}

/** Returns when intake and reading of all processes have answered for some seconds, at the latest after `MAX_WAIT_MS`. */
async function waitUntilSettled(answeredAt: number[][]): Promise<void> {
  const latest = performance.now() + MAX_WAIT_MS;
  for (let now = performance.now(); now < latest; now = performance.now()) {
    const isSettled = answeredAt.every((times) => {
      const recent = times.filter((at) => at > now - SETTLED_MS - MIN_INTERRUPTION_MS);
      const start = recent[0] ?? now;
      return start <= now - SETTLED_MS && endOfInterruption([recent], start, now) === start;
    });
    if (isSettled) return;
    await delay(PAUSE_MS);
  }
}

/** Returns the number of stored events by id, asked of PostgreSQL itself. */
async function countStored(prefix: string): Promise<Map<string, number>> {
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  const { rows } = await client.query<{ id: string; quantity: number }>(
    `SELECT correlation_id AS id, count(*)::int AS quantity FROM events
      WHERE starts_with(correlation_id, $1) GROUP BY 1`,
    [prefix],
  );
  await client.end();
  return new Map(rows.map(({ id, quantity }) => [id, quantity]));
}
