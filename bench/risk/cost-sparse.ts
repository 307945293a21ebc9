import { type CountDelta, DEFAULT_SETTINGS, ProjectDetector, toBytes } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { bytesASeries, usedBytes } from './memory.ts';
import { MINUTE_MS } from './project.ts';
import { printTable } from './table.ts';

/** 498 series and the sums make a full project. */
const SERIES = 498;
const PROJECTS = 8;
/** Events a minute, evenly spread by logarithm. */
const RATES = [0.01, 0.9] as const;
/** Two days to learn in, then twice the longest step that a sparse series may have. */
const WARM_UP_MINUTES = 2 * 1_440;
const MEASURED_MINUTES = 720;

/**
 * What live series under one event a minute cost, with all that is kept for them: longer steps cost little a minute, but
 * need a state of their own.
 */
export async function measureSparse(): Promise<void> {
  const random = new Random(1);
  const rates = Array.from(
    { length: SERIES },
    (_, i) => RATES[0] * (RATES[1] / RATES[0]) ** (i / (SERIES - 1)),
  );
  const bytesBefore = await usedBytes();
  const detectors = Array.from({ length: PROJECTS }, () => new ProjectDetector(START_MS, DEFAULT_SETTINGS));
  const cpuUs = { counting: 0, evaluating: 0 };
  let events = 0;
  for (let minute = 0; minute < WARM_UP_MINUTES + MEASURED_MINUTES; minute++) {
    const bucketMs = START_MS + minute * MINUTE_MS;
    const deltas = drawMinute(random, rates, bucketMs);
    const countingUs = measureUs(() => {
      for (const detector of detectors) for (const delta of deltas) detector.count(delta);
    });
    const evaluatingUs = measureUs(() => {
      for (const detector of detectors) detector.endStepsBefore(bucketMs + MINUTE_MS, true);
    });
    if (minute < WARM_UP_MINUTES) continue;
    events += deltas.length * PROJECTS;
    cpuUs.counting += countingUs;
    cpuUs.evaluating += evaluatingUs;
  }
  const all = PROJECTS * SERIES;
  const bytes = (await usedBytes()) - bytesBefore;
  const saved = detectors.reduce((sum, detector) => sum + toBytes(detector.save()).length, 0);
  printTable(
    `Cost of ${all.toLocaleString('en')} live series under one event a minute, all their states included`,
    ['What', 'Measured', 'Allowed'],
    [
      [
        'CPU a series and minute, amortised over 12 hours, µs',
        (cpuUs.evaluating / all / MEASURED_MINUTES).toFixed(2),
        '2.2',
      ],
      ['CPU an event, with its heartbeat, µs', (cpuUs.counting / events).toFixed(2), ''],
      ['Memory a series, bytes', bytesASeries(bytes, all), '5,000'],
      ['Saved every five minutes, bytes a series', Math.round(saved / all), ''],
    ],
  );
}

/** At random times, in their order. */
function drawMinute(random: Random, rates: number[], bucketMs: number): CountDelta[] {
  const deltas = rates.flatMap((rate, series) =>
    Array.from({ length: random.poisson(rate) }, (): CountDelta => {
      const lastMs = bucketMs + Math.floor(MINUTE_MS * random.uniform());
      return { type: 'event', severity: 'info', source: `source ${series}`, bucketMs, count: 1, lastMs };
    }),
  );
  return deltas.sort((a, b) => a.lastMs - b.lastMs);
}

function measureUs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
