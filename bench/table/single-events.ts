import { readCpu } from '../support/cpu.ts';
import { installPeers } from '../support/install-peers.ts';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { hasRedis, startBullMq } from '../support/peers.ts';
import { createProject, startProgram, startService } from '../support/processes.ts';
import { startFlags } from '../support/start-flags.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const WARM_UP_SECONDS = 3;
const MANY = 256;
const FEW = 64;

interface Round {
  bare: number;
  rate: number;
  p99Ms: number;
  backlogMs: number;
  nodeMicros: number;
  postgresMicros: number;
  everysec: number;
  always: number;
}

/**
 * Single events over HTTP: each is checked against the database for its key, committed durably before its 202, and stored by
 * the worker at the same time. In turn with a bare `node:http` server that parses the body and answers 202, and with Fastify
 * on BullMQ, which stores nothing.
 */
export async function measureSingleEvents({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const { apiKey } = project;
  const bare = await startProgram([...startFlags(), 'bench/dist/bare-server.js'], /listening (\d+)/);
  if (hasRedis) installPeers();
  else log('redis-server is not installed: the rows of BullMQ are left out');
  const [everysec, always] = hasRedis
    ? [await startBullMq('everysec', apiKey), await startBullMq('always', apiKey)]
    : [null, null];
  const bareUrl = `http://127.0.0.1:${bare.match[1]}/ingest/events`;
  const url = `${service.ingestionUrl}/ingest/events`;
  const load = (target: string, connections: number, during = seconds) =>
    post({ url: target, apiKey, body: EVENT, connections, seconds: during });
  const cpu = () => readCpu(service.child.pid ?? 0, service.dataDirectory);

  async function measureRound(connections: number): Promise<Round> {
    const { rate: bareRate } = await load(bareUrl, connections);
    const [cpuBefore, before] = [cpu(), await project.ledger()];
    const { rate, p99Ms } = await load(url, connections);
    const backlogMs = await drain(project);
    const [cpuAfter, after] = [cpu(), await project.ledger()];
    const events = after.stored - before.stored;
    const peers = { everysec: Number.NaN, always: Number.NaN };
    if (connections === FEW && everysec && always) {
      for (const [fsync, peer] of [
        ['everysec', everysec],
        ['always', always],
      ] as const) {
        const result = await load(peer.url, connections);
        peers[fsync] = result.rate;
        await peer.clear(result.accepted);
      }
    }
    const round: Round = {
      bare: bareRate,
      rate,
      p99Ms,
      backlogMs,
      nodeMicros: (cpuAfter.node - cpuBefore.node) / events,
      postgresMicros: (cpuAfter.postgres - cpuBefore.postgres) / events,
      ...peers,
    };
    log(describeRound(round, connections));
    return round;
  }

  await load(bareUrl, FEW, WARM_UP_SECONDS);
  await load(url, FEW, WARM_UP_SECONDS);
  await drain(project);
  const few: Round[] = [];
  const many: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    few.push(await measureRound(FEW));
    many.push(await measureRound(MANY));
  }
  const ledger = await project.ledger();
  for (const peer of [everysec, always]) await peer?.stop();
  await bare.stop();
  await service.stop();
  if (ledger.stored !== ledger.accepted) throw new Error('Not everything that was accepted was stored.');
  return [
    ...rowsOf(few, FEW, { ratio: 0.55, cpuMicros: 60 }),
    {
      what: '… longest backlog after it',
      value: Math.max(...few.map(({ backlogMs }) => backlogMs)),
      unit: 'ms',
      bar: { atMost: 1_000 },
      detail: `all ${ledger.accepted.toLocaleString('en-US')} accepted were stored`,
    },
    ...(hasRedis ? rowsOfPeers(few) : []),
    ...rowsOf(many, MANY, { ratio: 0.7, cpuMicros: null }),
  ];
}

function describeRound(round: Round, connections: number): string {
  const { bare, rate, p99Ms, backlogMs, nodeMicros, postgresMicros, everysec, always } = round;
  return (
    `${connections} connections: bare ${Math.round(bare)}/s, Tocsin ${Math.round(rate)}/s (p99 ${p99Ms.toFixed(1)} ms, ` +
    `backlog gone after ${Math.round(backlogMs)} ms, node ${nodeMicros.toFixed(1)} + PostgreSQL ${postgresMicros.toFixed(1)} µs of CPU an event)` +
    (Number.isNaN(everysec)
      ? ''
      : `, BullMQ ${Math.round(everysec)}/s (everysec), ${Math.round(always)}/s (always)`)
  );
}

function rowsOf(
  rounds: readonly Round[],
  connections: number,
  bars: { ratio: number; cpuMicros: number | null },
): Row[] {
  const of = (field: keyof Round) => median(rounds.map((round) => round[field]));
  const micros = of('nodeMicros') + of('postgresMicros');
  return [
    {
      what: `Single events at ${connections} connections, against bare node:http`,
      value: median(rounds.map(({ rate, bare }) => rate / bare)),
      unit: '',
      bar: { atLeast: bars.ratio },
      detail: `${Math.round(of('rate'))} of ${Math.round(of('bare'))} a second`,
    },
    {
      what: '… CPU of all processes, an event',
      value: micros,
      unit: 'µs',
      bar: bars.cpuMicros === null ? null : { atMost: bars.cpuMicros },
      detail: `node ${of('nodeMicros').toFixed(1)}, PostgreSQL ${of('postgresMicros').toFixed(1)}`,
    },
    {
      what: '… p99',
      value: of('p99Ms'),
      unit: 'ms',
      bar: connections === FEW ? { atMost: 15 } : null,
      detail: 'median of the rounds',
    },
  ];
}

function rowsOfPeers(rounds: readonly Round[]): Row[] {
  return (['everysec', 'always'] as const).map((fsync) => ({
    what: `… against Fastify on BullMQ, ${fsync}, which stores nothing`,
    value: median(rounds.map((round) => round.rate / round[fsync])),
    unit: '×',
    bar: fsync === 'everysec' ? { atLeast: 1.4 } : null,
    detail: `BullMQ ${Math.round(median(rounds.map((round) => round[fsync])))} a second`,
  }));
}
