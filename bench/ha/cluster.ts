import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '../support/root.ts';
import { addressOf, isEmpty, NODES, type NodeNumber, nameOf } from './network.ts';
import type { Patroni } from './patroni.ts';

const DEPLOYED = path.join(ROOT, 'deploy/ha');
const STATUS_TIMEOUT_MS = 1_500;
const STATUS_PAUSE_MS = 500;
/** For a node that comes back, or a whole new cluster. */
const MAX_WAIT_MS = 300_000;

/** Passwords of a cluster that other machines cannot reach. */
const SECRETS = {
  PATRONI_SUPERUSER_PASSWORD: 'superuser',
  PATRONI_REPLICATION_PASSWORD: 'replication',
  PATRONI_REWIND_PASSWORD: 'rewind',
  PATRONI_RESTAPI_PASSWORD: 'restapi',
};
export const SUPERUSER_URL = 'postgres://postgres:superuser@127.0.0.1:5000/postgres';

/** Fields of a standby that are read here, as the primary's Patroni lists them. */
interface Standby {
  state: string;
  sync_state: string;
}

/** The nodes by the files of `deploy/ha`: etcd, Patroni and its PostgreSQL on each, HAProxy beside Tocsin. */
export class Cluster {
  readonly #directory: string;
  readonly #logs: string;
  readonly #patroni: Patroni;
  #haproxy: ChildProcess | null = null;

  constructor(directory: string, logs: string, patroni: Patroni) {
    this.#directory = directory;
    this.#logs = logs;
    this.#patroni = patroni;
  }

  async start(): Promise<void> {
    for (const node of NODES) this.#prepareNode(node);
    await Promise.all(NODES.map((node) => this.startNode(node)));
    this.startHaproxy();
    await this.waitUntilWhole();
  }

  /** Starts a node once the processes that were killed are gone: they hold its ports and its data. */
  async startNode(node: NodeNumber): Promise<void> {
    await waitUntilEmpty(node);
    const name = nameOf(node);
    this.#spawn(`etcd-${name}`, inNode(node, '/usr/bin/etcd'), {
      ...readEnvironment('node.env', node),
      ...readEnvironment('etcd.env', node),
      ETCD_DATA_DIR: path.join(this.#nodeDirectory(node), 'etcd'),
    });
    const command = inNode(node, this.#patroni.program, this.#configurationOf(node));
    this.#spawn(`patroni-${name}`, command, this.#environmentOf(node));
  }

  get hasHaproxy(): boolean {
    return this.#haproxy?.exitCode === null && this.#haproxy.signalCode === null;
  }

  killHaproxy(): void {
    this.#haproxy?.kill('SIGKILL');
  }

  startHaproxy(): void {
    this.#haproxy = this.#spawn(
      'haproxy',
      ['/usr/sbin/haproxy', '-db', '-f', path.join(DEPLOYED, 'haproxy.cfg')],
      {},
    );
  }

  /** Switches over to the synchronous standby, as an operator does it. */
  async switchOver(): Promise<void> {
    const parameters = ['-c', this.#configurationOf(1), 'switchover', '--force'];
    await promisify(execFile)(this.#patroni.controller, parameters, {
      env: { ...process.env, ...this.#environmentOf(1) },
    });
  }

  /** Waits until the primary streams to a synchronous standby and to the third node. */
  async waitUntilWhole(): Promise<void> {
    const latest = performance.now() + MAX_WAIT_MS;
    while (performance.now() < latest) {
      const [primary] = (await Promise.all(NODES.map((node) => ask(node, '/primary')))).filter(Boolean);
      // Patroni answers in its documented form.
      const standbys = (primary?.replication ?? []) as Standby[];
      const streaming = standbys.filter(({ state }) => state === 'streaming');
      const states = streaming.map((standby) => standby.sync_state);
      if (states.toSorted().join() === 'async,sync') return;
      await delay(STATUS_PAUSE_MS);
    }
    throw new Error('The cluster is not whole again.');
  }

  /** @param role `primary` or `sync` */
  async find(role: 'primary' | 'sync'): Promise<NodeNumber> {
    for (;;) {
      for (const node of NODES) if ((await ask(node, `/${role}`)) !== null) return node;
      await delay(STATUS_PAUSE_MS);
    }
  }

  /** Returns the nodes whose PostgreSQL runs, as far as Patroni answers. */
  async listRunning(): Promise<NodeNumber[]> {
    const states = await Promise.all(NODES.map((node) => ask(node, '/patroni')));
    return NODES.filter((_, place) => states[place]?.state === 'running');
  }

  async countEtcd(): Promise<number> {
    const answers = await Promise.all(NODES.map((node) => ask(node, '/version', 2379)));
    return answers.filter((answer) => answer !== null).length;
  }

  #environmentOf(node: NodeNumber): NodeJS.ProcessEnv {
    return {
      ...readEnvironment('node.env', node),
      ...readEnvironment('secrets.env', node),
      ...SECRETS,
      ...this.#patroni.environment,
    };
  }

  #nodeDirectory(node: NodeNumber): string {
    return path.join(this.#directory, nameOf(node));
  }

  #configurationOf(node: NodeNumber): string {
    return path.join(this.#nodeDirectory(node), 'patroni.yml');
  }

  #prepareNode(node: NodeNumber): void {
    const directory = this.#nodeDirectory(node);
    mkdirSync(path.join(directory, 'etcd'), { recursive: true });
    const replacements = [
      ['/var/lib/postgresql/15/tocsin', path.join(directory, 'data')],
      ['/var/lib/postgresql/tocsin.pgpass', path.join(directory, 'pgpass')],
      ['/var/run/postgresql', directory],
    ] as const;
    let configuration = readFileSync(path.join(DEPLOYED, 'patroni.yml'), 'utf8');
    for (const [deployed, own] of replacements) configuration = replaceOnce(configuration, deployed, own);
    writeFileSync(this.#configurationOf(node), configuration);
    const [uid, gid] = postgresIds();
    for (const owned of [directory, path.join(directory, 'etcd')]) {
      chownSync(owned, uid, gid);
      chmodSync(owned, 0o700);
    }
  }

  /** Its end is that of the namespaces; its output is in the logs. */
  #spawn(
    name: string,
    [program = '', ...parameters]: string[],
    environment: NodeJS.ProcessEnv,
  ): ChildProcess {
    const log = openSync(path.join(this.#logs, `${name}.log`), 'a');
    return spawn(program, parameters, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...environment },
    });
  }
}

const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];

const inNode = (node: NodeNumber, ...command: string[]) => [
  '/usr/sbin/ip',
  'netns',
  'exec',
  nameOf(node),
  ...AS_POSTGRES,
  ...command,
];

function postgresIds(): [uid: number, gid: number] {
  const read = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return [read('-u'), read('-g')];
}

/** Reads a file of `deploy/ha` in the form of systemd, as changed for a node by the command that it names. */
function readEnvironment(file: string, node: NodeNumber): NodeJS.ProcessEnv {
  const text = readFileSync(path.join(DEPLOYED, file), 'utf8');
  const isOfNode = file === 'node.env';
  const entries = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    isOfNode ? value.replace(/\bn1\b/, nameOf(node)).replace(addressOf(1), addressOf(node)) : value,
  ]);
  return Object.fromEntries(entries) as NodeJS.ProcessEnv;
}

function replaceOnce(text: string, before: string, after: string): string {
  if (text.split(before).length !== 2) throw new Error(`The file of deploy/ha has not one ${before}.`);
  return text.replace(before, after);
}

async function waitUntilEmpty(node: NodeNumber): Promise<void> {
  const latest = performance.now() + MAX_WAIT_MS;
  while (!isEmpty(node)) {
    if (performance.now() >= latest) throw new Error(`Processes of ${nameOf(node)} do not end.`);
    await delay(STATUS_PAUSE_MS);
  }
}

/** Returns the answer of a node as JSON where its status is 200, else null. */
async function ask(node: NodeNumber, place: string, port = 8008): Promise<Record<string, unknown> | null> {
  try {
    const signal = AbortSignal.timeout(STATUS_TIMEOUT_MS);
    const answer = await fetch(`http://${addressOf(node)}:${port}${place}`, { signal });
    const body = await answer.text();
    return answer.status === 200 ? (JSON.parse(body) as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
