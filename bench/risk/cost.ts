import {
  advance,
  type CountDelta,
  DEFAULT_SETTINGS,
  ProjectDetector,
  SERIES_BYTES,
  SeriesGroup,
  toBytes,
} from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { measureSparse } from './cost-sparse.ts';
import { bytesASeries, usedBytes } from './memory.ts';
import { measureUs, medianOf, medianSlowdown } from './processor-time.ts';
import { MINUTE_MS } from './project.ts';
import { printTable } from './table.ts';

const SERIES = 500;
const WARM_UP_MINUTES = 600;
const ROUNDS = 7;
const ROUND_MINUTES = 300;
const PROJECTS = 4;
/** As many live projects make 100,000 series; a few series of each are sums. */
const LIVE_PROJECTS = 200;
const LIVE_SERIES = SERIES - 2;
const LIVE_MINUTES = 30;
const MEASURED_MINUTES = 10;

/** Measures the cost of series: processor time an update, pooling and calibration included, and memory. */
export async function evaluateCost(): Promise<void> {
  await measureSeries();
  for (const live of LIVE) await printLiveCost(live);
  await measureSparse();
  console.log(`
Processor times are scaled: a loop beside them took ${medianSlowdown().toFixed(2)} times as long as at rest (median).`);
}

async function measureSeries(): Promise<void> {
  const random = new Random(1);
  const counts = Array.from({ length: 64 }, () => random.count(20, 2));
  const bytesBefore = await usedBytes();
  const groups = Array.from({ length: PROJECTS }, () => {
    const group = new SeriesGroup(1, 1);
    for (let series = 0; series < SERIES; series++) {
      group.add({ weight: 1, isErrorSeries: false, mayBeOld: false });
    }
    return group;
  });
  const bytes = (await usedBytes()) - bytesBefore;
  let minute = 0;
  const runMinutes = (untilMinute: number) => {
    for (; minute < untilMinute; minute++) {
      for (const group of groups) {
        for (let series = 0; series < SERIES; series++) {
          group.count(series, counts[(series + minute) % counts.length] ?? 0);
        }
        group.endStep(START_MS + minute * MINUTE_MS, true, () => {});
      }
    }
  };
  runMinutes(WARM_UP_MINUTES);
  const rounds = Array.from({ length: ROUNDS }, () => measureUs(() => runMinutes(minute + ROUND_MINUTES)));
  printTable(
    'Cost',
    ['What', 'Measured', 'Allowed'],
    [
      ['CPU a series update, µs', (medianOf(rounds) / PROJECTS / SERIES / ROUND_MINUTES).toFixed(2), '2'],
      ['State of a series, bytes saved', SERIES_BYTES, '2,300'],
      ['Memory a series, bytes', bytesASeries(bytes, PROJECTS * SERIES), '2,300'],
    ],
  );
}

type Sends = (series: number, minute: number) => number;

interface Live {
  what: string;
  sends: Sends;
  /** A quarter more than before sparse series were evaluated at longer steps, too, by the same program. */
  allowed: { cpuUs: number; bytes: number; savedBytes: number };
}

const LIVE: [Live, Live] = [
  {
    what: '50 a minute',
    sends: () => 50,
    allowed: { cpuUs: 1.25 * 1.62, bytes: 1.25 * 2_276, savedBytes: 1.25 * 1_777 },
  },
  {
    what: 'one in ten minutes',
    sends: (series, minute) => ((series + minute) % 10 === 0 ? 1 : 0),
    allowed: { cpuUs: 1.25 * 1.74, bytes: 1.25 * 3_430, savedBytes: 1.25 * 2_652 },
  },
];

function* deltasOf(minute: number, sends: Sends): Generator<CountDelta> {
  const bucketMs = START_MS + minute * MINUTE_MS;
  for (let series = 0; series < LIVE_SERIES; series++) {
    const count = sends(series, minute);
    const lastMs = bucketMs + ((series * 97) % MINUTE_MS);
    if (count > 0)
      yield { type: 'event', severity: 'info', source: `source ${series}`, bucketMs, count, lastMs };
  }
}

interface LiveCost {
  series: number;
  /** CPU of all series, scaled to a machine at rest. */
  cpuMsAMinute: number;
  memoryBytes: number;
  savedBytes: number;
}

/** Measures all that live projects hold beside the series themselves: names, registry, heartbeats, incidents. */
export async function measureLiveCost({ sends }: Pick<Live, 'sends'> = LIVE[0]): Promise<LiveCost> {
  const bytesBefore = await usedBytes();
  const detectors = Array.from(
    { length: LIVE_PROJECTS },
    () => new ProjectDetector(START_MS, DEFAULT_SETTINGS),
  );
  let us = 0;
  for (let minute = 0; minute < LIVE_MINUTES; minute++) {
    const bucketMs = START_MS + minute * MINUTE_MS;
    const options = { untilMs: bucketMs + MINUTE_MS, gaps: [] };
    const minuteUs = measureUs(() => {
      for (const detector of detectors) Array.from(advance(detector, deltasOf(minute, sends), options));
    });
    if (minute >= LIVE_MINUTES - MEASURED_MINUTES) us += minuteUs;
  }
  const memoryBytes = (await usedBytes()) - bytesBefore;
  const savedBytes = detectors.reduce((sum, detector) => sum + toBytes(detector.save()).length, 0);
  const cpuMsAMinute = us / 1_000 / MEASURED_MINUTES;
  return { series: LIVE_PROJECTS * LIVE_SERIES, cpuMsAMinute, memoryBytes, savedBytes };
}

async function printLiveCost(live: Live): Promise<void> {
  const { series, cpuMsAMinute, memoryBytes, savedBytes } = await measureLiveCost(live);
  const { allowed } = live;
  printTable(
    `Cost of ${series.toLocaleString('en')} live series, each ${live.what}`,
    ['What', 'Measured', 'Allowed'],
    [
      ['CPU a minute of all, ms', Math.round(cpuMsAMinute), '60,000'],
      ['CPU a series update, µs', ((1_000 * cpuMsAMinute) / series).toFixed(2), allowed.cpuUs.toFixed(1)],
      ['Memory a series, bytes', bytesASeries(memoryBytes, series), Math.round(allowed.bytes)],
      [
        'Saved every five minutes, bytes a series',
        Math.round(savedBytes / series),
        Math.round(allowed.savedBytes),
      ],
    ],
  );
}
