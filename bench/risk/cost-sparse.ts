import { type CountDelta, DEFAULT_SETTINGS, ProjectDetector, toBytes } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { bytesASeries, usedBytes } from './memory.ts';
import { measureUs, processorUs } from './processor-time.ts';
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
/** Between two runs of the loop that processor times are scaled by. */
const ROUND_MINUTES = 60;

/**
 * Measures the cost of live series under one event a minute, with all that is kept for them: longer steps cost little a minute, but
 * need a state of their own.
 */
export async function measureSparse(): Promise<void> {
  const random = new Random(1);
  const rates = Array.from(
    { length: SERIES },
    (_, i) => RATES[0] * (RATES[1] / RATES[0]) ** (i / (SERIES - 1)),
  );
  // The program is compiled as it runs: that is no memory of series.
  runMinutes(createDetectors(1), { random, rates, firstMinute: 0, minutes: WARM_UP_MINUTES });
  const bytesBefore = await usedBytes();
  const detectors = createDetectors(PROJECTS);
  runMinutes(detectors, { random, rates, firstMinute: 0, minutes: WARM_UP_MINUTES });
  const cpuUs = { counting: 0, evaluating: 0 };
  let events = 0;
  for (let round = 0; round < MEASURED_MINUTES / ROUND_MINUTES; round++) {
    const firstMinute = WARM_UP_MINUTES + round * ROUND_MINUTES;
    let counted = NOTHING;
    const scaledUs = measureUs(() => {
      counted = runMinutes(detectors, { random, rates, firstMinute, minutes: ROUND_MINUTES });
    });
    const scale = scaledUs / counted.allUs;
    cpuUs.counting += scale * counted.countingUs;
    cpuUs.evaluating += scale * counted.evaluatingUs;
    events += counted.events;
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
      ['Memory a series, bytes', bytesASeries(bytes, all), '6,000'],
      ['Saved every five minutes, bytes a series', Math.round(saved / all), '6,000'],
    ],
  );
}

function createDetectors(projects: number): ProjectDetector[] {
  return Array.from({ length: projects }, () => new ProjectDetector(START_MS, DEFAULT_SETTINGS));
}

interface Minutes {
  random: Random;
  rates: number[];
  firstMinute: number;
  minutes: number;
}

/** Processor times of counting, of evaluating, and of both and drawing the events. */
const NOTHING = { countingUs: 0, evaluatingUs: 0, allUs: 0, events: 0 };

function runMinutes(
  detectors: ProjectDetector[],
  { random, rates, firstMinute, minutes }: Minutes,
): typeof NOTHING {
  const spent = { ...NOTHING };
  spent.allUs = processorUs(() => {
    for (let minute = firstMinute; minute < firstMinute + minutes; minute++) {
      const bucketMs = START_MS + minute * MINUTE_MS;
      const deltas = drawMinute(random, rates, bucketMs);
      spent.events += deltas.length * detectors.length;
      spent.countingUs += processorUs(() => {
        for (const detector of detectors) for (const delta of deltas) detector.count(delta);
      });
      spent.evaluatingUs += processorUs(() => {
        for (const detector of detectors) detector.endStepsBefore(bucketMs + MINUTE_MS, true);
      });
    }
  });
  return spent;
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
