import { flood, GENERATOR } from '../support/load.ts';
import { median, percentile } from '../support/median.ts';
import { Probe } from '../support/probe.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const PAUSE_MS = 10;
const NOISY = [
  { connections: 64, times: 2 },
  { connections: 512, times: 3 },
];

/** One event at a time of one project, alone and in turn with a flood of another project's. */
export async function measureQuietProject({
  rounds,
  seconds,
  log,
}: Options): Promise<Row[] | { skipped: string }> {
  if (GENERATOR !== 'wrk') return { skipped: 'needs wrk' };
  const service = await startService();
  const url = `${service.ingestionUrl}/ingest/events`;
  const noisy = await createProject(service.managementUrl);
  const quiet = await createProject(service.managementUrl);
  const probe = new Probe({ url, apiKey: quiet.apiKey, body: EVENT });
  const measure = async (connections: number) => {
    const ended = new AbortController();
    const probing = probe.repeat(PAUSE_MS, ended.signal);
    let rate = 0;
    if (connections > 0) {
      const result = await flood({ url, apiKey: noisy.apiKey, body: EVENT, connections, seconds });
      rate = result.accepted / result.seconds;
    } else {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
    ended.abort();
    const waits = (await probing).map(({ elapsedMs }) => elapsedMs);
    await drain(noisy);
    log(
      `quiet beside ${connections} connections (${Math.round(rate)}/s): p50 ${percentile(waits, 0.5).toFixed(1)}, ` +
        `p99 ${percentile(waits, 0.99).toFixed(1)} ms of ${waits.length}`,
    );
    return percentile(waits, 0.99);
  };
  await measure(64);
  const alone: number[] = [];
  const beside = NOISY.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    alone.push(await measure(0));
    for (const [index, { connections }] of NOISY.entries()) beside[index]?.push(await measure(connections));
  }
  probe.close();
  await service.stop();
  return NOISY.map(({ connections, times }, index) => ({
    what: `A quiet project’s p99 beside ${connections} connections of another one, over alone`,
    value: median((beside[index] ?? []).map((p99Ms, round) => p99Ms / (alone[round] ?? Number.NaN))),
    unit: '×',
    bar: { atMost: times },
    detail: `${median(beside[index] ?? []).toFixed(1)} over ${median(alone).toFixed(1)} ms, medians of ${rounds} rounds`,
  }));
}
