import { readCpu } from '../support/cpu.ts';
import { median } from '../support/median.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import type { Options, Row } from './row.ts';
import { makeBatch, type OtlpFormat, RECORDS_A_REQUEST, SENDERS, sendOtlp } from './send-otlp.ts';

const REQUESTS = 100;
const FORMATS: readonly OtlpFormat[] = ['protobuf', 'json'];

/** Logs over OTLP/HTTP in batches of 512, by both encodings in turn, until all are stored and indexed. */
export async function measureOtlp({ rounds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const cpu = () => readCpu(service.child.pid ?? 0, service.dataDirectory);
  // Each batch has a time of its own, in the last minutes.
  let timeMs = Date.now() - 600_000;
  const prepare = (format: OtlpFormat, requests: number) => {
    const batches = Array.from({ length: requests }, () => makeBatch(format, timeMs++));
    return () => sendOtlp(service.ingestionUrl, project.apiKey, format, batches);
  };
  for (const format of FORMATS) await prepare(format, 10)();
  await drain(project);

  const measured = FORMATS.map((format) => ({ format, rates: [] as number[], micros: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const { format, rates, micros } of measured) {
      const run = prepare(format, REQUESTS);
      const [before, startedAt] = [cpu(), performance.now()];
      await run();
      await drain(project);
      const [seconds, after] = [(performance.now() - startedAt) / 1_000, cpu()];
      const records = REQUESTS * RECORDS_A_REQUEST;
      rates.push(records / seconds);
      const node = (after.node - before.node) / records;
      const postgres = (after.postgres - before.postgres) / records;
      micros.push(node + postgres);
      log(
        `otlp: ${format} ${Math.round(records / seconds)}/s, ${node.toFixed(1)} µs of Node and ${postgres.toFixed(1)} µs of PostgreSQL a record`,
      );
    }
  await service.stop();
  return measured.flatMap(({ format, rates, micros }): Row[] => [
    {
      what: `OTLP logs as ${format === 'json' ? 'JSON' : format} in batches of 512, stored and indexed, a second`,
      value: median(rates),
      unit: '',
      bar: { atLeast: 15_000 },
      detail: `${SENDERS} senders`,
    },
    {
      what: '… CPU of all processes, a record',
      value: median(micros),
      unit: 'µs',
      bar: null,
      detail: `${rounds} rounds`,
    },
  ]);
}
