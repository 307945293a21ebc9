import type { TimeSlot } from './chart-time.ts';

/** Something in a chart that has a time and a label above the plot. */
export interface LabelledMark {
  atMs: number;
  label: string;
}

/** A label with its marks: one, or several that are too close for labels of their own. */
export interface PlacedLabel<M extends LabelledMark> {
  marks: [M, ...M[]];
  label: string;
  /** Distance from the left of the plot in pixels. */
  left: number;
  width: number;
}

/** Maximum width of a label; a longer one is shortened with an ellipsis. */
const MAX_LABEL_PIXELS = 128;
/** Upper estimate of the width of a letter or digit of 12 pixels. */
const LETTER_PIXELS = 7;
const PADDING_PIXELS = 12;
const GAP_PIXELS = 4;

/** Returns the distance of a time from the left of a plot in pixels. */
export function xOf(atMs: number, { startMs, endMs }: TimeSlot, width: number): number {
  return ((atMs - startMs) / Math.max(1, endMs - startMs)) * width;
}

/**
 * Places the labels of the marks in a plot, from left to right, without overlaps. Each begins at its mark, or ends at the
 * plot's right edge.
 * @param nameFold returns the label of several marks: "3 releases"
 */
export function placeLabels<M extends LabelledMark>(
  marks: readonly M[],
  range: TimeSlot,
  width: number,
  nameFold: (count: number) => string,
): PlacedLabel<M>[] {
  const place = (together: [M, ...M[]]): PlacedLabel<M> => {
    const [first] = together;
    const label = together.length === 1 ? first.label : nameFold(together.length);
    const labelWidth = Math.min(MAX_LABEL_PIXELS, width, label.length * LETTER_PIXELS + PADDING_PIXELS);
    const left = Math.min(xOf(first.atMs, range, width), width - labelWidth);
    return { marks: together, label, left, width: labelWidth };
  };
  const placed: PlacedLabel<M>[] = [];
  for (const mark of marks.toSorted((one, other) => one.atMs - other.atMs)) {
    if (mark.atMs < range.startMs || mark.atMs > range.endMs) continue;
    let label = place([mark]);
    // A label that grew, or that was moved from the right edge, may now overlap the one before it.
    for (let before = placed.at(-1); before && overlaps(before, label); before = placed.at(-1)) {
      placed.pop();
      label = place([before.marks[0], ...before.marks.slice(1), ...label.marks]);
    }
    placed.push(label);
  }
  return placed;
}

function overlaps(before: PlacedLabel<LabelledMark>, label: PlacedLabel<LabelledMark>): boolean {
  return label.left < before.left + before.width + GAP_PIXELS;
}
