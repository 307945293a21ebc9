import { rm } from 'node:fs/promises';
import { Random } from '@tocsin/simulation/random';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { clientOf } from '../support/exactly-once.ts';
import { BUILD_TIMEOUT_MS, buildServer } from '../support/program.ts';
import { longForm, rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { type KillWork, mayLeave, REFUSED, setUpWork, startChanges, startSenders } from './kill-work.ts';
import { KilledPair } from './killed-pair.ts';
import {
  findErasedSums,
  findLedgerRow,
  hasSettled,
  listFound,
  listImbalances,
  passTimeOfKilled,
  refuseEventsByTurns,
} from './ledger-reads.ts';
import type { SentEvents } from './sent-events.ts';

/*
 * Two processes with all roles on one database are killed by SIGKILL in the midst of all that moves events between the
 * columns of a ledger: repeats, samples of a storm, dead letters that are replayed and discarded, retention, erasures
 * and the deletion of projects. A key is over its quota, which no column counts.
 */
const KILLS = rounds(2, 100);
/** Maximum events that are acknowledged before a kill. */
const EVENTS_A_KILL = 400;

const database = await createTestDatabase();
const { pool } = database;
const directory = await makeScratchDirectory();
let pair: KilledPair;

beforeAll(buildServer, BUILD_TIMEOUT_MS);
afterAll(async () => {
  await pair.end();
  await rm(directory, { recursive: true, force: true });
});

it(
  'balances the ledgers at every read, and loses no event, although two processes are killed',
  async () => {
    const seed = drawSeed();
    const random = new Random(seed);
    pair = new KilledPair(database, directory, random);
    await refuseEventsByTurns(pool, REFUSED);
    const work = await setUpWork(await pair.start(), random);
    await pair.start();
    const accounts = [work.shop, work.site, work.neighbour];
    startSenders(pair, work);
    startChanges(pair, work);
    const reads = startReads(work);

    while (pair.kills < KILLS && reads.imbalances.length === 0) await killOnce(work, accounts);
    const isOver = async () => reads.imbalances.length > 0 || (await hasAllColumns(work));
    await waitFor('events in each column', isOver, 30_000);
    expect(reads.imbalances).toEqual([]);
    await pair.endWork();
    await waitFor('the end of the queue and of erasures', () => hasSettled(pool), 30_000);
    // Retention would go on between two reads.
    await pair.end();
    const imbalances = [...reads.imbalances, ...(await listImbalances(pool))];

    expect({ imbalances, failures: pair.failures }).toEqual({ imbalances: [], failures: [] });
    expect(reads.count).toBeGreaterThan(KILLS);
    for (const account of accounts) await expectAccounted(work, account);
    expect(await findLedgerRow(pool, work.neighbour.projectId)).toMatchObject({
      dropped: 0,
      sampled: 0,
      erased: 0,
      expired: 0,
    });
    const { counted, erased } = await findErasedSums(pool);
    expect(counted).toBe(erased);
    const accepted = accounts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    if (longForm) console.log({ seed, kills: pair.kills, accepted, reads: reads.count });
  },
  scaled(rounds(180_000, 3_600_000)),
);

async function killOnce(work: KillWork, accounts: readonly SentEvents[]): Promise<void> {
  const count = () => accounts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const until = count() + (EVENTS_A_KILL / 2) * (1 + work.random.uniform());
  await waitFor('enough events', () => count() >= until, 60_000);
  const killed = await pair.kill();
  await passTimeOfKilled(pool);
  work.round++;
  await Promise.all(Array.from({ length: killed }, () => pair.start()));
}

/** Compares ledgers with what is stored, at one moment, and as the API answers them. */
function startReads({ shop, site, neighbour, cookies }: KillWork): { count: number; imbalances: unknown[] } {
  const reads = { count: 0, imbalances: [] as unknown[] };
  pair.work(async () => {
    reads.imbalances.push(...(await listImbalances(pool)));
    reads.count++;
  });
  for (const account of [shop, site, neighbour])
    pair.work(async (program) => {
      const atLeast = account.acknowledged;
      const cookie = account === neighbour ? cookies.neighbour : cookies.owner;
      const { status, body } = await clientOf(program, cookie).get(`/projects/${account.projectId}/ledger`);
      if (status !== 200) return;
      const { accepted, stored, queued, duplicate, dead, dropped, sampled, erased, expired } = body;
      const sum = stored + queued + duplicate + dead + dropped + sampled + erased + expired;
      if (accepted !== sum || accepted < atLeast) reads.imbalances.push({ atLeast, ...body });
      reads.count++;
    });
  return reads;
}

async function hasAllColumns({ shop, site }: KillWork): Promise<boolean> {
  const ofShop = await findLedgerRow(pool, shop.projectId);
  const ofSite = await findLedgerRow(pool, site.projectId);
  if (!ofShop || !ofSite || shop.refused === 0) return false;
  const { duplicate, sampled, erased } = ofShop;
  // The shop keeps samples alone of what the database refuses.
  const { dropped, expired } = ofSite;
  return [duplicate, sampled, erased, dropped, expired].every((count) => count > 0);
}

/** Expects of each acknowledged event that it is where the ledger says, and that no other was accepted. */
async function expectAccounted(work: KillWork, account: SentEvents): Promise<void> {
  const { acknowledged, unanswered, jobs, doubleKeys } = account;
  const ledger = await findLedgerRow(pool, account.projectId);
  const atMost = (count: number) => ({ from: count, to: count + unanswered });
  const found = await listFound(pool, [...jobs.keys()]);
  const missing = [...jobs].filter(([id]) => !found.has(id));
  const left = (ledger?.dropped ?? 0) + (ledger?.erased ?? 0) + (ledger?.expired ?? 0);
  expect(doubleKeys).toEqual([]);
  expect(missing.filter(([, event]) => !mayLeave(work, account, event))).toEqual([]);
  expectWithin(ledger?.accepted, atMost(acknowledged));
  expectWithin(ledger?.duplicate, atMost(acknowledged - jobs.size));
  expectWithin(left, atMost(missing.length));
}

function expectWithin(count: number | undefined, { from, to }: { from: number; to: number }): void {
  expect(count).toBeGreaterThanOrEqual(from);
  expect(count).toBeLessThanOrEqual(to);
}
