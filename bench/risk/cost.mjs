import { SeriesGroup } from '../../server/dist/risk/detector/series-group.js';
import { SERIES_BYTES } from '../../server/dist/risk/detector/series-memory.js';
import { MINUTE_MS, START_MS } from './project.mjs';
import { Random } from './random.mjs';
import { printTable } from './table.mjs';

const SERIES = 500;
const MINUTES = 3_000;
const PROJECTS = 4;

/** What a series costs: processor time an update, lending and calibration included, and memory. */
export function evaluateCost() {
  const random = new Random(1);
  const counts = Array.from({ length: 64 }, () => random.count(20, 2));
  globalThis.gc?.();
  const before = process.memoryUsage();
  const groups = Array.from({ length: PROJECTS }, () => {
    const group = new SeriesGroup(1, 1);
    for (let series = 0; series < SERIES; series++) group.add(1);
    return group;
  });
  globalThis.gc?.();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  const start = process.cpuUsage();
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const group of groups) {
      for (let series = 0; series < SERIES; series++) group.count(series, counts[(series + minute) % 64]);
      group.endStep(START_MS + minute * MINUTE_MS, true, () => {});
    }
  }
  const { user, system } = process.cpuUsage(start);
  const updates = PROJECTS * SERIES * MINUTES;
  printTable(
    'Cost',
    ['What', 'Measured', 'Allowed'],
    [
      ['CPU a series update, µs', ((user + system) / updates).toFixed(2), '2'],
      ['State of a series, bytes saved', SERIES_BYTES, ''],
      ['Memory a series, bytes', Math.round(bytes / PROJECTS / SERIES), '2,000'],
    ],
  );
}
