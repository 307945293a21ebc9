import { setTimeout as delay } from 'node:timers/promises';
import { bundleOf, makeMaps } from '../support/map-bundle.ts';
import { median, percentile } from '../support/median.ts';
import type { PacedEvent } from '../support/paced.ts';
import { createProject, startService } from '../support/processes.ts';
import { startUploader } from '../support/uploader.ts';
import { drain } from './drain.ts';
import { startNeighbour } from './neighbour.ts';
import type { Options, Row } from './row.ts';

/** A little less than the largest bundle, for its manifest. */
const PACKED_BYTES = 63 * 1024 * 1024;
/** Events a second of another organization, before and meanwhile. */
const RATE = 100;
const WARM_UP_MS = 1_000;

/** Source maps of one organization are uploaded while another one goes on sending 100 events a second. */
export async function measureSourceMaps({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const uploader = await startUploader(service.managementUrl);
  const quiet = await createProject(service.managementUrl);
  const maps = makeMaps(PACKED_BYTES);
  const measured: Record<'alone' | 'arriving' | 'storing' | 'seconds', number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const bundle = uploader.cut(bundleOf(maps));
    const neighbour = startNeighbour(service.ingestionUrl, quiet.apiKey, RATE);
    await delay(WARM_UP_MS);
    const startedAt = performance.now();
    await delay(seconds * 1_000);
    const uploadedAt = performance.now();
    for (const chunk of bundle.chunks) await uploader.upload(chunk);
    const arrivedAt = performance.now();
    await uploader.assemble(bundle);
    const storedAt = performance.now();
    const sent = await neighbour.end();
    const alone = p99Of(sent, startedAt, uploadedAt);
    const [arriving, storing] = [p99Of(sent, uploadedAt, arrivedAt), p99Of(sent, arrivedAt, storedAt)];
    const took = (storedAt - uploadedAt) / 1_000;
    measured.push({ alone, arriving: arriving / alone, storing: storing / alone, seconds: took });
    log(
      `source maps: p99 ${alone.toFixed(1)} ms alone, ${arriving.toFixed(1)} while chunks arrive, ` +
        `${storing.toFixed(1)} while maps are stored (${took.toFixed(1)} s)`,
    );
  }
  await drain(quiet);
  await service.stop();
  const of = (field: keyof (typeof measured)[number]) => median(measured.map((round) => round[field]));
  return [
    {
      what: 'Source maps of 64 MiB arrive: p99 of another organization’s events, over alone',
      value: of('arriving'),
      unit: '×',
      bar: { atMost: 1.5 },
      detail: `${of('alone').toFixed(1)} ms alone, ${RATE} events a second, medians of ${rounds} rounds`,
    },
    {
      what: '… while they are checked and stored',
      value: of('storing'),
      unit: '×',
      bar: { atMost: 1.5 },
      detail: `medians of ${rounds} rounds`,
    },
    { what: '… until they are stored', value: of('seconds'), unit: 's', bar: null, detail: 'one client' },
  ];
}

function p99Of(events: readonly PacedEvent[], from: number, to: number): number {
  const waits = events.filter(({ sentAt }) => sentAt >= from && sentAt < to);
  return percentile(
    waits.map(({ elapsedMs }) => elapsedMs),
    0.99,
  );
}
