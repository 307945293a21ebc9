import { cpuTimeOf, readCpu } from '../support/cpu.ts';
import { databaseUrlOf } from '../support/database.ts';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { createProject, findFreePort, startProgram, startService } from '../support/processes.ts';
import { startFlags } from '../support/start-flags.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const COUNTS = [1, 2, 4];
/** Connections to all processes together. */
const CONNECTIONS = 256;

/**
 * Ingestion processes beside a process of all roles, which stores what they accept, on one PostgreSQL. With fewer cores than
 * processes this measures what they cost one another, not what they add.
 */
export async function measureProcesses({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const databaseUrl = await databaseUrlOf(service.dataDirectory);
  const ingestions: Awaited<ReturnType<typeof startIngestion>>[] = [];
  for (let index = 0; index < Math.max(...COUNTS); index++)
    ingestions.push(await startIngestion(databaseUrl));
  const cpu = () => {
    const { node, postgres } = readCpu(service.child.pid ?? 0, service.dataDirectory);
    return ingestions.reduce((sum, { pid }) => sum + cpuTimeOf(pid) * 1_000, node + postgres);
  };
  const measure = async (count: number) => {
    const [cpuBefore, before] = [cpu(), await project.ledger()];
    const load = { apiKey: project.apiKey, body: EVENT, connections: CONNECTIONS / count, seconds };
    const results = await Promise.all(ingestions.slice(0, count).map(({ url }) => post({ ...load, url })));
    await drain(project);
    const events = (await project.ledger()).stored - before.stored;
    const rate = results.reduce((sum, result) => sum + result.rate, 0);
    const micros = (cpu() - cpuBefore) / events;
    log(`${count} ingestion processes: ${Math.round(rate)}/s, ${micros.toFixed(1)} µs of CPU an event`);
    return { rate, micros };
  };
  for (const count of COUNTS) await measure(count);
  const measured = COUNTS.map((count) => ({ count, figures: [] as Awaited<ReturnType<typeof measure>>[] }));
  for (let round = 0; round < rounds; round++)
    for (const { count, figures } of measured) figures.push(await measure(count));
  for (const { stop } of ingestions) await stop();
  await service.stop();
  const [single] = measured;
  return measured.map(({ count, figures }) => ({
    what: `${count} ingestion ${count === 1 ? 'process' : 'processes'}, roles apart, over one`,
    value: median(figures.map(({ rate }, round) => rate / (single?.figures[round]?.rate ?? Number.NaN))),
    unit: '×',
    bar: null,
    detail: `${Math.round(median(figures.map(({ rate }) => rate)))} a second, ${median(figures.map(({ micros }) => micros)).toFixed(1)} µs of CPU an event, ${CONNECTIONS} connections together`,
  }));
}

async function startIngestion(databaseUrl: string) {
  const port = await findFreePort();
  const { child, stop } = await startProgram(
    [...startFlags(), 'server/bin/tocsin.js', 'start', 'ingestion'],
    /Ingestion/,
    {
      INGEST_PORT: String(port),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
    },
  );
  return { url: `http://127.0.0.1:${port}/ingest/events`, pid: child.pid ?? 0, stop };
}
