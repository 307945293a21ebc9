import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@tocsin/simulation/random';
import pg from 'pg';
import { Cluster, SUPERUSER_URL } from './cluster.ts';
import { FAULTS } from './faults.ts';
import { buildNetwork } from './network.ts';
import type { ProofOptions } from './options.ts';
import { choosePatroni } from './patroni.ts';
import { describeRound, HEAD, totalOf } from './report.ts';
import { proveRewind } from './rewind.ts';
import { Tocsin } from './roles.ts';
import { type RoundResult, runRound, type Scene } from './round.ts';

/* Runs in namespaces of its own, as the child of `prove-ha.ts`: its end ends all that it starts. */

/** With all faults. */
const MIN_ACKNOWLEDGED = 50_000;
const PAUSE_MS = 500;

const [directory = '', logs = '', given = ''] = process.argv.slice(2);
// `prove-ha.ts` of the same commit writes it.
const options = JSON.parse(given) as ProofOptions;

const scene = await setUp();
const failures = options.rewind ? await proveRewind(scene) : await proveFaults(scene);
for (const failure of [...failures, ...scene.tocsin.ended]) console.log(`NOT HELD: ${failure}`);
process.exit(failures.length + scene.tocsin.ended.length > 0 ? 1 : 0);

async function setUp(): Promise<Scene> {
  const patroni = choosePatroni(directory, options.rewind);
  console.log(`${patroni.title}, seed ${options.seed}, ${options.rate} events a second`);
  buildNetwork();
  const cluster = new Cluster(directory, logs, patroni);
  await cluster.start();
  await createDatabase();
  const tocsin = new Tocsin();
  await tocsin.start(logs);
  const body = { name: 'Proof', email: 'proof@example.com', password: 'a long password' };
  const signUp = await tocsin.management[0]?.send('/auth/signup', { method: 'POST', body });
  if (signUp?.status !== 201) throw new Error(`The sign-up was answered with ${signUp?.status}.`);
  const { cookie } = signUp;
  return { cluster, tocsin, cookie, random: new Random(options.seed), rate: options.rate };
}

/** As docs/high-availability.md says it, once HAProxy leads to the primary. */
async function createDatabase(): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: SUPERUSER_URL, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query("CREATE ROLE tocsin LOGIN PASSWORD 'tocsin'");
      await client.query('CREATE DATABASE tocsin OWNER tocsin');
      return;
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error;
      await delay(PAUSE_MS);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function proveFaults(scene: Scene): Promise<string[]> {
  const results: RoundResult[] = [];
  const failures: string[] = [];
  console.log(HEAD);
  for (const name of options.faults) {
    const fault = FAULTS[name];
    if (!fault) continue;
    const result = await runRound(scene, name, fault);
    results.push(result);
    const { row, broken } = describeRound(fault, result);
    console.log(row);
    failures.push(...broken.map((sentence) => `${name}: ${sentence}`));
  }
  const { text, acknowledged } = totalOf(results);
  console.log(text);
  const isWhole = Object.keys(FAULTS).every((name) => options.faults.includes(name));
  if (isWhole && acknowledged < MIN_ACKNOWLEDGED)
    failures.push(`${acknowledged} events were acknowledged, fewer than ${MIN_ACKNOWLEDGED}`);
  return failures;
}
