import { setTimeout as delay } from 'node:timers/promises';
import { readCpu, readProportionalMemory } from '../support/cpu.ts';
import { connect, readEventBytes, readWal } from '../support/database.ts';
import { post } from '../support/load.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const MEBIBYTE = 2 ** 20;
const LOAD_SECONDS = 10;
const SETTLE_MS = 60_000;
const IDLE_MS = 30_000;
const CONNECTIONS = 64;

/** Measures the cost of a service: space and log of an event, memory and CPU while nothing happens, before a load and after it. */
export async function measureFootprint({ log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const client = await connect(service.dataDirectory);
  const [nodePid, { dataDirectory }] = [service.child.pid ?? 0, service];
  await delay(SETTLE_MS);
  const idleBefore = readProportionalMemory(nodePid, dataDirectory);
  const idleShare = await measureIdleCpu(nodePid, dataDirectory);
  const [bytesBefore, walBefore] = [await readEventBytes(client), await readWal(client)];
  await post({
    url: `${service.ingestionUrl}/ingest/events`,
    apiKey: project.apiKey,
    body: EVENT,
    connections: CONNECTIONS,
    seconds: LOAD_SECONDS,
  });
  await drain(project);
  const { stored } = await project.ledger();
  const [bytesAfter, walAfter] = [await readEventBytes(client), await readWal(client)];
  log(`footprint: ${stored} events stored`);
  await delay(SETTLE_MS);
  const idleAfter = readProportionalMemory(nodePid, dataDirectory);
  await client.end();
  await service.stop();
  const detail = `${stored.toLocaleString('en-US')} events at ${CONNECTIONS} connections`;
  return [
    {
      what: 'Disk an event, indexes and counts included',
      value: (bytesAfter - bytesBefore) / stored,
      unit: 'B',
      bar: { atMost: 500 },
      detail: `${detail}; tables of events, groups and counts`,
    },
    {
      what: 'Write-ahead log an event, with the queue',
      value: (walAfter - walBefore) / stored,
      unit: 'B',
      bar: { atMost: 1_100 },
      detail,
    },
    {
      what: 'Idle: proportional memory of all processes',
      value: idleBefore / MEBIBYTE,
      unit: 'MB',
      bar: { atMost: 180 },
      detail: 'a minute after the start',
    },
    {
      what: '… one minute after a load',
      value: idleAfter / MEBIBYTE,
      unit: 'MB',
      bar: { atMost: 256 },
      detail: `${LOAD_SECONDS} s of single events`,
    },
    {
      what: 'Idle: CPU of all processes, of one core',
      value: idleShare * 100,
      unit: '%',
      bar: { atMost: 1 },
      detail: `over ${IDLE_MS / 1_000} s`,
    },
  ];
}

async function measureIdleCpu(nodePid: number, dataDirectory: string): Promise<number> {
  const before = readCpu(nodePid, dataDirectory);
  await delay(IDLE_MS);
  const after = readCpu(nodePid, dataDirectory);
  return (after.node - before.node + after.postgres - before.postgres) / 1_000 / IDLE_MS;
}
