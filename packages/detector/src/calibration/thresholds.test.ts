import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { AT, DOWN, SeriesMemory, UP } from '../state/series-state.ts';
import { growBlock, maximaOf } from './block-maxima.ts';
import { calibrate, falseAWeek, tailOf, trustedBudget } from './thresholds.ts';

const RESOLUTION = resolutionOf(1);

/** A series whose blocks had these largest pieces of evidence upwards, in its shortest window. */
function withMaxima(maxima: number[]): SeriesMemory {
  const memory = new SeriesMemory();
  for (const maximum of maxima) {
    for (let closed = false; !closed; ) {
      memory.numbers[AT.blockMaxima] = maximum;
      closed = growBlock(memory, RESOLUTION, UP, 1, true);
    }
  }
  return memory;
}

const openingOf = (memory: SeriesMemory, budget: number) => {
  calibrate(memory, RESOLUTION, UP, null, budget);
  return memory.numbers[AT.openThreshold] ?? 0;
};

describe('the line that evidence has to cross', () => {
  const calm = withMaxima(Array.from({ length: 56 }, (_, i) => 3 + (i % 5) / 5));
  const bursty = withMaxima(Array.from({ length: 56 }, (_, i) => 3 + (i % 4 === 0 ? 40 : i % 5)));

  it('raises the threshold for a smaller budget, and for a series that has bursts', () => {
    expect(openingOf(calm, 0.1)).toBeGreaterThan(openingOf(calm, 1));
    expect(openingOf(bursty, 1)).toBeGreaterThan(2 * openingOf(calm, 1));
  });

  it('sets the threshold to the budget, shared between windows and sides', () => {
    const opening = openingOf(calm, 0.5);
    expect(falseAWeek(tailOf(calm, RESOLUTION, UP, 0, null), RESOLUTION, UP, opening)).toBeCloseTo(0.5, 1);
  });

  it('hardly moves the threshold for one incident among many blocks', () => {
    const incident = withMaxima([...Array.from({ length: 55 }, (_, i) => 3 + (i % 5) / 5), 1_500]);
    expect(openingOf(incident, 1) / openingOf(calm, 1)).toBeLessThan(1.2);
  });

  it('raises the threshold before anything is known, for a series of a new project', () => {
    const unknown = Array.from({ length: 8 }, () => ({ scale: 0, place: 0, maxima: 0 }));
    const memory = new SeriesMemory();
    const alone = openingOf(memory, 1);
    calibrate(memory, RESOLUTION, UP, unknown, 1);
    expect(memory.numbers[AT.openThreshold]).toBeGreaterThan(2 * alone);
  });
});

describe('the budget of a series', () => {
  it('gives a series a quarter of its budget at first, and all of it from a week on', () => {
    const memory = new SeriesMemory();
    const budgets = [0, 5_040, 10_080, 50_000].map((age) => {
      memory.numbers[AT.age] = age;
      return trustedBudget(memory, RESOLUTION, 1);
    });
    expect(budgets).toEqual([0.25, 0.625, 1, 1]);
  });
});

describe('a block', () => {
  it('closes after an hour, but not while an alarm of its side is open', () => {
    const memory = new SeriesMemory();
    const closed = Array.from({ length: 90 }, (_, minute) =>
      growBlock(memory, RESOLUTION, DOWN, 5, minute > 70),
    );
    expect(closed.indexOf(true)).toBe(71);
    expect(maximaOf(memory, DOWN, 0)).toHaveLength(1);
  });
});
