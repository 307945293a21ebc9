import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { Bucket } from '../lib/api-types.ts';
import { formatCount } from '../lib/format.ts';
import { Button } from './button.tsx';
import { formatSlot } from './chart-time.ts';
import { SeverityCounts } from './severity-counts.tsx';
import { SeverityTable } from './severity-table.tsx';
import { type Slot, sumOf, toSlots, wholeSlots } from './stacked-counts.ts';

const SeverityPlot = lazy(async () => ({ default: (await import('./severity-plot.tsx')).SeverityPlot }));

interface SeverityChartProps {
  /** Says what is counted, to assistive technology and over the table. */
  label: string;
  /** Oldest first, empty ones included; undefined while they are on their way. */
  buckets: Bucket[] | undefined;
  fromMs: number;
  toMs: number;
  /** The length of a bucket; default: told by the first two. */
  intervalMs?: number | undefined;
  /** Of the plot, in pixels; it never changes by what is in it. */
  height?: number | undefined;
  /** A range was dragged, or chosen by keyboard: the bounds of whole buckets. Unset: nothing can be selected. */
  onSelect?: ((fromMs: number, toMs: number) => void) | undefined;
  /** A double click, or the button `Zoom out`: give it only where there is something to go back to. */
  onReset?: (() => void) | undefined;
  /** Draws a thin band at what was to be expected in each bucket. */
  expected?: { perBucket: number } | undefined;
  /** Marks a window, such as the one in which an incident opened. */
  mark?: { fromMs: number; toMs: number } | undefined;
  /** Lower, and without an axis of counts. */
  compact?: boolean | undefined;
  /** Further buttons, beside the chart's own. */
  actions?: ReactNode;
}

/** Counts over time, stacked by severity: the chart, one readout for all of it, and the same numbers as a table. */
export function SeverityChart(props: SeverityChartProps) {
  const {
    label,
    buckets,
    fromMs,
    toMs,
    intervalMs,
    onSelect,
    onReset,
    expected,
    mark,
    compact = false,
  } = props;
  const { height = compact ? 88 : 200 } = props;
  const [hovered, setHovered] = useState<Slot | null>(null);
  const [asTable, setAsTable] = useState(false);
  const slots = useMemo(
    () => toSlots(buckets ?? [], fromMs, toMs, intervalMs),
    [buckets, fromMs, toMs, intervalMs],
  );
  // Buckets that were read again are other objects.
  const slot = hovered && slots.find(({ startMs }) => startMs === hovered.startMs);
  const sum = sumOf(slots);
  const total = slots.reduce((all, { total: count }) => all + count, 0);
  const select =
    onSelect &&
    ((draggedFromMs: number, draggedToMs: number) => {
      const whole = wholeSlots(slots, draggedFromMs, draggedToMs);
      if (whole) onSelect(whole.fromMs, whole.toMs);
    });

  return (
    <figure aria-label={label} className="min-w-0">
      <div className="mb-1 flex items-start gap-2 text-xs">
        <p
          className={`flex h-10 min-w-0 flex-1 flex-wrap content-center items-center gap-x-4 overflow-hidden sm:h-8 ${buckets ? '' : 'invisible'}`}
        >
          <SeverityCounts counts={slot?.counts ?? sum} most={sum} />
          <span className="text-text-muted">
            {slot ? formatSlot(slot) : `${formatCount(total)} ${total === 1 ? 'event' : 'events'}`}
          </span>
          {expected && <span className="text-text-muted">{describeExpected(expected.perBucket)}</span>}
        </p>
        {onReset && (
          <Button look="quiet" onClick={onReset}>
            Zoom out
          </Button>
        )}
        <Button look="quiet" aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          Table
        </Button>
        {props.actions}
      </div>
      <div
        role="img"
        aria-label={`${label}: ${formatCount(total)} in all, of these ${formatCount(sum.error)} error and ${formatCount(sum.critical)} critical`}
        className="relative"
        style={{ height }}
      >
        <Suspense>
          <SeverityPlot
            {...{ slots, fromMs, toMs, height, compact }}
            expectedPerSlot={expected?.perBucket}
            markFromMs={mark?.fromMs}
            markToMs={mark?.toMs}
            onHover={setHovered}
            onSelect={select}
            onDoubleClick={onReset}
          />
        </Suspense>
        {buckets && total === 0 && (
          <p className="pointer-events-none absolute inset-0 flex items-center justify-center text-sm text-text-muted">
            No events in this time.
          </p>
        )}
      </div>
      {asTable && (
        <div className="mt-2">
          <SeverityTable label={label} slots={slots} onSelect={select} />
        </div>
      )}
    </figure>
  );
}

function describeExpected(perBucket: number): string {
  if (perBucket < 0.1) return 'expected nearly none';
  return `expected ${perBucket < 10 ? perBucket.toFixed(1).replace('.0', '') : formatCount(Math.round(perBucket))} per bar`;
}
