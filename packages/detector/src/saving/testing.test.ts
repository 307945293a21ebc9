import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { expect, it } from 'vitest';
import { ProjectDetector } from '../project/project-detector.ts';
import { STEP_MS } from '../project/project-parts.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { toBytes } from './snapshot.ts';
import { reloaded, warmDetector } from './testing.ts';

const HISTORY = 2_000;

/** Events of each minute are the same at each run. */
class Simulation {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);

  run(from: number, minutes: number, factor = 1) {
    return Array.from({ length: minutes }, (_, i) => {
      const random = new Random(from + i);
      const bucketMs = this.detector.stepMs;
      for (const [source, severity, rate] of [
        ['web', 'info', 30],
        ['web', 'error', 0.5],
        ['worker', 'info', 0.05],
      ] as const) {
        const count = random.poisson(rate * factor);
        const times = { bucketMs, lastMs: bucketMs + 1_000 * random.uniform() };
        if (count > 0) this.detector.count({ type: 'http', severity, source, ...times, count });
      }
      return this.detector.endStepsBefore(bucketMs + STEP_MS, true);
    }).flat();
  }
}

function simulate(): Simulation {
  const simulation = new Simulation();
  simulation.run(0, HISTORY);
  return simulation;
}

it('decides with a warm detector as with the simulated one, and gives each test one of its own', async () => {
  const simulated = simulate();
  for (const factor of [8, 0]) {
    const warm = new Simulation();
    warm.detector = await warmDetector(import.meta.url, 'equality', simulate);
    const copy = new Simulation();
    copy.detector = reloaded(simulated.detector);
    const expected = copy.run(HISTORY, 300, factor);
    expect(warm.run(HISTORY, 300, factor)).toEqual(expected);
    expect(expected.map(({ kind }) => kind)).toContain('opens');
    expect(toBytes(warm.detector.save())).toEqual(toBytes(copy.detector.save()));
  }
  const last = new Simulation();
  last.detector = await warmDetector(import.meta.url, 'equality', simulate);
  expect(last.run(HISTORY, 300, 8)).toEqual(simulated.run(HISTORY, 300, 8));
  expect(toBytes(last.detector.save())).toEqual(toBytes(simulated.detector.save()));
});
