import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readCpu } from '../support/cpu.ts';
import { hold, makeTemporaryDirectory } from '../support/held.ts';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { type BenchProject, createProject, startService } from '../support/processes.ts';
import { ROOT } from '../support/root.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';
import { EVENTS_A_REQUEST, sendBulk } from './send-bulk.ts';

const FEW = 64;
const MANY = 256;
const BULK_EVENTS = 100 * EVENTS_A_REQUEST;
const WARM_UP_SECONDS = 3;
/** Lowest accepted share of the rate of the version before: additions may cost the rest. */
const MIN_SHARE = 0.85;

interface Side {
  service: Awaited<ReturnType<typeof startService>>;
  project: BenchProject;
}

interface Figure {
  rate: number;
  micros: number;
}

/**
 * Accepting and storing, in turn with an earlier version: its commit is checked out into a temporary directory and installed
 * and built there. Both services run all the time; the one that is not loaded is idle.
 */
export async function measureBefore({ rounds, seconds, commit, log }: Options): Promise<Row[]> {
  const root = await checkOut(commit);
  const sides = { now: await start(ROOT), before: await start(root) };
  const loads = {
    [`single events at ${FEW} connections`]: (side: Side) => measureSingle(side, FEW, seconds),
    [`single events at ${MANY} connections`]: (side: Side) => measureSingle(side, MANY, seconds),
    'bulk of 500': measureBulk,
  };
  for (const side of Object.values(sides)) await measureSingle(side, FEW, WARM_UP_SECONDS);
  const figures = new Map(Object.keys(loads).map((name) => [name, [] as { now: Figure; before: Figure }[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, measure] of Object.entries(loads)) {
      const figure = { before: await measure(sides.before), now: await measure(sides.now) };
      figures.get(name)?.push(figure);
      log(`${name}: before ${describe(figure.before)}, now ${describe(figure.now)}`);
    }
  for (const { service } of Object.values(sides)) await service.stop();
  return [...figures].flatMap(([name, both]) => rowsOf(name, both, commit));
}

const describe = ({ rate, micros }: Figure) => `${Math.round(rate)}/s at ${micros.toFixed(1)} µs`;

function rowsOf(name: string, rounds: { now: Figure; before: Figure }[], commit: string): Row[] {
  const of = (side: 'now' | 'before', field: keyof Figure) =>
    median(rounds.map((round) => round[side][field]));
  return [
    {
      what: `Accepting and storing ${name}, against ${commit}`,
      value: median(rounds.map(({ now, before }) => now.rate / before.rate)),
      unit: '×',
      bar: { atLeast: MIN_SHARE },
      detail: `${Math.round(of('now', 'rate'))} against ${Math.round(of('before', 'rate'))} a second`,
    },
    {
      what: '… CPU of all processes, an event',
      value: median(rounds.map(({ now, before }) => now.micros / before.micros)),
      unit: '×',
      bar: null,
      detail: `${of('now', 'micros').toFixed(1)} against ${of('before', 'micros').toFixed(1)} µs`,
    },
  ];
}

/** Until all are stored. */
async function measureSide(side: Side, load: () => Promise<unknown>): Promise<Figure> {
  const { service, project } = side;
  const cpu = () => {
    const { node, postgres } = readCpu(service.child.pid ?? 0, service.dataDirectory);
    return node + postgres;
  };
  const [cpuBefore, before, startedAt] = [cpu(), await project.ledger(), performance.now()];
  await load();
  await drain(project);
  const [seconds, after] = [(performance.now() - startedAt) / 1_000, await project.ledger()];
  const events = after.stored - before.stored;
  return { rate: events / seconds, micros: (cpu() - cpuBefore) / events };
}

function measureSingle(side: Side, connections: number, seconds: number): Promise<Figure> {
  const url = `${side.service.ingestionUrl}/ingest/events`;
  const load = { url, apiKey: side.project.apiKey, body: EVENT, connections, seconds };
  return measureSide(side, () => post(load));
}

function measureBulk(side: Side): Promise<Figure> {
  return measureSide(side, () => sendBulk(side.service.ingestionUrl, side.project.apiKey, BULK_EVENTS));
}

async function start(root: string): Promise<Side> {
  const service = await startService({ root });
  return { service, project: await createProject(service.managementUrl) };
}

/** @returns the root of a checkout that is removed at the end */
async function checkOut(commit: string): Promise<string> {
  const { directory } = await makeTemporaryDirectory();
  const root = path.join(directory, 'checkout');
  run('git', ['worktree', 'add', '--detach', root, commit], ROOT);
  await hold(async () => run('git', ['worktree', 'remove', '--force', root], ROOT));
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], root);
  run('npm', ['run', 'build', '--silent'], root);
  return root;
}

function run(command: string, parameters: string[], cwd: string): void {
  // Standard output is the table's.
  const { status } = spawnSync(command, parameters, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}.`);
}
