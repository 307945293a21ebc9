import { type ReactNode, useMemo, useState } from 'react';
import type { Bucket, Severity } from '../../lib/api-types.ts';
import { formatDuration } from '../../lib/format.ts';
import { Button } from '../controls/button.tsx';
import { SeverityCounts } from '../display/severity-counts.tsx';
import { lazyPart } from '../layout/lazy-part.tsx';
import { texts } from '../texts.ts';
import { ChartFigure } from './chart-figure.tsx';
import { formatSlot, formatSlotTime } from './chart-time.ts';
import { type ChartMarks, MarkLayer } from './mark-layer.tsx';
import { plotRange, rowsOf } from './plot-frame.ts';
import { SeverityTable } from './severity-table.tsx';
import { type Slot, severitiesInFront, sumOf, toSlots, wholeSlots } from './stacked-counts.ts';

const words = texts.charts.severities;

const SeverityPlot = lazyPart(() => import('./severity-plot.tsx'), 'SeverityPlot');

interface SeverityChartProps {
  /** Name of the counted events, for assistive technology and above the table. */
  label: string;
  /** Buckets, oldest first, empty ones included; undefined until they arrive. */
  buckets: Bucket[] | undefined;
  fromMs: number;
  toMs: number;
  /** Time from which events were counted; unset if all were. */
  scannedFromMs?: number | undefined;
  /** Counts further back; unset if that is impossible. */
  onScanFurther?: (() => void) | undefined;
  /** True while a scan runs. */
  scanning?: boolean | undefined;
  /** Length of a bucket; default: the distance of the first two. */
  intervalMs?: number | undefined;
  /** Height of the plot in pixels; it does not depend on the data. */
  height?: number | undefined;
  /** Called with the bounds of whole buckets when a range was selected; unset if nothing can be selected. */
  onSelect?: ((fromMs: number, toMs: number) => void) | undefined;
  /** Called by the button `Zoom out` and a double click; unset if there is nothing to go back to. */
  onReset?: (() => void) | undefined;
  /** True for a lower chart without a count axis. */
  compact?: boolean | undefined;
  /** Further buttons, beside the chart's own. */
  actions?: ReactNode;
  marks?: ChartMarks | undefined;
}

const NO_MARKS: ChartMarks = { releases: [] };

/**
 * Counts over time by severity: the chart, its readout, and the same numbers as a table. All bars have one
 * scale: beside warnings and worse, events of severity info are only a number. The legend can show one severity alone.
 */
export function SeverityChart(props: SeverityChartProps) {
  const { label, buckets, fromMs, toMs, intervalMs, onSelect, onReset, compact = false, actions } = props;
  const { marks = NO_MARKS } = props;
  const { scannedFromMs, onScanFurther, scanning = false } = props;
  const { height = compact ? 88 : 200 } = props;
  const [hovered, setHovered] = useState<Slot | null>(null);
  const [only, setOnly] = useState<Severity | null>(null);
  const slots = useMemo(
    () => toSlots(buckets ?? [], fromMs, toMs, intervalMs),
    [buckets, fromMs, toMs, intervalMs],
  );
  const [first] = slots;
  // Buckets that were read again are new objects.
  const slot = hovered && slots.find(({ startMs }) => startMs === hovered.startMs);
  const sum = useMemo(() => sumOf(slots), [slots]);
  const front = useMemo(() => severitiesInFront(sum, only), [sum, only]);
  const isUndrawn = (severity: Severity) => only === null && sum[severity] > 0 && !front.includes(severity);
  const total = slots.reduce((all, { total: count }) => all + count, 0);
  const isSample = scannedFromMs !== undefined;
  const totalText = isSample ? words.totalSince(total, formatSlotTime(scannedFromMs)) : words.total(total);
  const select =
    onSelect &&
    ((draggedFromMs: number, draggedToMs: number) => {
      const whole = wholeSlots(slots, draggedFromMs, draggedToMs);
      if (whole) onSelect(whole.fromMs, whole.toMs);
    });

  return (
    <ChartFigure
      {...{ label, height, onReset, actions }}
      summary={words.summary(label, totalText, sum, front)}
      emptiness={buckets && total === 0 && !isSample ? texts.charts.empty : null}
      readout={
        buckets && (
          <>
            <SeverityCounts
              counts={slot?.counts ?? sum}
              most={sum}
              atLeast={isSample && !slot}
              only={only}
              onChoose={(severity) => setOnly(severity === only ? null : severity)}
              isUndrawn={isUndrawn}
            />
            <span className="text-text-muted">
              {slot ? formatSlot(slot) : totalText}
              {isUndrawn('info') && ` · ${words.withoutInfo}`}
            </span>
            {first && (
              <span className="text-text-muted">
                {words.perBar(formatDuration(first.endMs - first.startMs))}
              </span>
            )}
            {isSample && onScanFurther && (
              <Button variant="ghost" disabled={scanning} onClick={onScanFurther}>
                {words.lookFurther}
              </Button>
            )}
          </>
        )
      }
      overlay={
        <MarkLayer {...marks} compact={compact} range={plotRange(slots, { startMs: fromMs, endMs: toMs })} />
      }
      table={<SeverityTable {...{ label, slots }} onSelect={select} />}
    >
      <SeverityPlot
        {...{ slots, fromMs, toMs, height, compact, scannedFromMs, front }}
        topPixels={rowsOf(marks).top}
        onHover={setHovered}
        onSelect={select}
        onDoubleClick={onReset}
      />
    </ChartFigure>
  );
}
