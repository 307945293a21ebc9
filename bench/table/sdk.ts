import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measuredNode } from '../support/measured-node.ts';
import { median } from '../support/median.ts';
import { createProject, startService } from '../support/processes.ts';
import { ROOT } from '../support/root.ts';
import { drain } from './drain.ts';
import type { Options, Row } from './row.ts';

const IN_A_LOOP = 100_000;
const AWAITED = 30_000;
const MEBIBYTE = 2 ** 20;

/** Output of `bench/sdk-sender.js`. */
interface SenderReport {
  sent: number;
  losses: number;
  settledMs: number;
  grewBytes: number;
}

/** The client library in a process of its own: calls in a loop that never yields, and 64 callers that await each call. */
export async function measureSdk({ rounds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const send = (manner: 'loop' | 'awaiting', calls: number) =>
    runSender([service.ingestionUrl, project.apiKey, manner, String(calls)]);
  const loops: (SenderReport & { storedMs: number; stored: number })[] = [];
  const awaiting: SenderReport[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = (await project.ledger()).stored;
    const loop = await send('loop', IN_A_LOOP);
    const storedMs = loop.settledMs + (await drain(project));
    loops.push({ ...loop, storedMs, stored: (await project.ledger()).stored - before - 1 });
    awaiting.push(await send('awaiting', AWAITED));
    await drain(project);
    log(
      `sdk: ${loops.at(-1)?.stored} of ${IN_A_LOOP} stored after ${Math.round(storedMs)} ms, +${Math.round(loop.grewBytes / MEBIBYTE)} MB; ` +
        `64 awaiting ${Math.round(AWAITED / ((awaiting.at(-1)?.settledMs ?? 0) / 1_000))}/s`,
    );
  }
  await service.stop();
  const fewest = Math.min(...loops.map(({ stored }) => stored));
  const rate = median(loops.map(({ storedMs }) => IN_A_LOOP / (storedMs / 1_000)));
  return [
    {
      what: `SDK: ${IN_A_LOOP.toLocaleString('en-US')} captures in a loop, stored`,
      value: fewest,
      unit: '',
      bar: { atLeast: IN_A_LOOP },
      detail: `fewest of ${rounds} rounds; ${loops.reduce((sum, { losses }) => sum + losses, 0)} lost`,
    },
    {
      what: '… a second, until all are stored',
      value: rate,
      unit: '',
      bar: { atLeast: 20_000 },
      detail: 'median',
    },
    {
      what: '… growth of the memory',
      value: median(loops.map(({ grewBytes }) => grewBytes)) / MEBIBYTE,
      unit: 'MB',
      bar: { atMost: 150 },
      detail: 'resident, highest seen',
    },
    {
      what: 'SDK: 64 callers that await each call, a second',
      value: median(awaiting.map(({ settledMs }) => AWAITED / (settledMs / 1_000))),
      unit: '',
      bar: { atLeast: 12_000 },
      detail: `${AWAITED.toLocaleString('en-US')} calls a round`,
    },
  ];
}

async function runSender(parameters: string[]): Promise<SenderReport> {
  const child = spawn(measuredNode(), ['--expose-gc', 'bench/sdk-sender.js', ...parameters], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The sender ended with ${code}.`);
  // The program of the same commit prints it.
  return JSON.parse(output) as SenderReport;
}
