import { describe, expect, it } from 'vitest';
import { placeLabels } from './mark-layout.ts';

const RANGE = { startMs: 0, endMs: 1_000 };
const place = (width: number, ...marks: [atMs: number, label: string][]) =>
  placeLabels(
    marks.map(([atMs, label]) => ({ atMs, label })),
    RANGE,
    width,
    (count) => `${count} releases`,
  );
const labelsOf = (...given: Parameters<typeof place>) => place(...given).map(({ label }) => label);

describe('the labels of a chart’s marks', () => {
  it('gives each mark its own label if there is room', () => {
    expect(labelsOf(800, [500, '1.1'], [100, '1.0'], [900, '1.2'])).toEqual(['1.0', '1.1', '1.2']);
  });

  it('folds the labels of close marks into one with their number', () => {
    expect(labelsOf(800, [100, '1.0'], [110, '1.1'], [120, '1.2'], [900, '2.0'])).toEqual([
      '3 releases',
      '2.0',
    ]);
  });

  it('folds further labels if a grown one would overlap the one before it', () => {
    const placed = place(300, [0, '1.0'], [150, '1.1'], [170, '1.2'], [960, '2.0'], [1_000, '2.1']);
    for (const [index, { left }] of placed.entries()) {
      const before = placed[index - 1];
      if (before) expect(left).toBeGreaterThanOrEqual(before.left + before.width);
    }
    expect(placed.flatMap(({ marks }) => marks)).toHaveLength(5);
  });

  it('keeps a label at the right edge within the plot, and leaves out marks outside of it', () => {
    const [label, ...others] = place(400, [999, '4.18.1-hotfix.2'], [1_001, 'later'], [-1, 'earlier']);
    expect(others).toEqual([]);
    expect((label?.left ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(400);
  });

  it('places a thousand marks in a narrow plot without overlaps', () => {
    const placed = place(
      40,
      ...Array.from({ length: 1_000 }, (_, index): [number, string] => [index, `1.${index}`]),
    );
    expect(placed).toHaveLength(1);
    expect(placed[0]?.marks).toHaveLength(1_000);
  });
});
