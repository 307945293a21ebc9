import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { PeaksOverThreshold } from './peaks-over-threshold.ts';

const ALARMS_A_STEP = 1 / 500;
const STEPS = 50_000;

function watch(scale: number): { peaks: PeaksOverThreshold; alarms: number } {
  const random = new Random(1);
  const peaks = new PeaksOverThreshold({ memorySteps: 2_000, alarmsAStep: ALARMS_A_STEP });
  let alarms = 0;
  for (let step = 0; step < STEPS; step++) {
    const evidence = -scale * Math.log(1 - random.uniform());
    if (evidence > peaks.openThreshold) alarms++;
    peaks.add(evidence, evidence > peaks.openThreshold);
  }
  return { peaks, alarms };
}

describe('a threshold by the peaks over another one', () => {
  it.each([0.8, 1, 2])('lets evidence of scale %d exceed it about as often as allowed', (scale) => {
    const { alarms } = watch(scale);
    expect(alarms).toBeGreaterThan((STEPS * ALARMS_A_STEP) / 4);
    expect(alarms).toBeLessThan(STEPS * ALARMS_A_STEP * 2);
  });

  it('stays nearly the same with what is reported, however large it is', () => {
    const { peaks } = watch(1);
    const before = peaks.openThreshold;
    for (let i = 0; i < 20; i++) {
      peaks.add(10_000, true);
      for (let step = 0; step < 40; step++) peaks.add(0.5, false);
    }
    expect(peaks.openThreshold).toBeLessThan(1.3 * before);
  });
});
