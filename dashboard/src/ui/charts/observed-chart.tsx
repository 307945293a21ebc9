import { useMemo, useState } from 'react';
import { formatAmount } from '../../../../server/src/incidents/wording.ts';
import type { Points, Severity } from '../../lib/api-types.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { SEVERITY_FILLS } from '../display/severity-fills.ts';
import { lazyPart } from '../layout/lazy-part.tsx';
import { texts } from '../texts.ts';
import { ChartFigure } from './chart-figure.tsx';
import { formatSlot, type TimeSlot } from './chart-time.ts';
import { type ChartMarks, MarkLayer } from './mark-layer.tsx';
import { type ObservedSlot, toObservedSlots } from './observed-slots.ts';
import { plotRange, rowsOf } from './plot-frame.ts';
import { type SlotColumn, SlotTable } from './slot-table.tsx';

const words = texts.charts.observed;

const ObservedPlot = lazyPart(() => import('./observed-plot.tsx'), 'ObservedPlot');

interface ObservedChartProps {
  /** Name of the counted events. */
  label: string;
  /** Points; undefined until they arrive. */
  points: Points | undefined;
  /** Minimum range; all points are shown in any case. */
  range: TimeSlot;
  height: number;
  /** Unit of the numbers, such as `% of payments`; unset for counts. */
  unit?: string | undefined;
  /** Severity whose colour the bars have. */
  severity: Severity;
  /** Marked window. */
  mark?: TimeSlot | undefined;
  marks: ChartMarks;
}

/** Actual and expected counts over time. */
export function ObservedChart({
  label,
  points,
  range,
  height,
  unit,
  severity,
  mark,
  marks,
}: ObservedChartProps) {
  const [hovered, setHovered] = useState<ObservedSlot | null>(null);
  const slots = useMemo(() => (points ? toObservedSlots(points) : []), [points]);
  // Points that were read again are new objects.
  const slot = hovered && slots.find(({ startMs }) => startMs === hovered.startMs);
  const highest = slots.reduce((most, { observed }) => Math.max(most, observed), 0);
  const withExpected = slots.some(({ expected }) => expected !== null);
  const bar = formatDuration((points?.intervalSeconds ?? 0) * 1_000);
  return (
    <ChartFigure
      {...{ label, height }}
      summary={words.summary(label, highest, bar)}
      emptiness={points && highest === 0 && !withExpected ? texts.charts.empty : null}
      readout={points && <Readout {...{ slot, severity, unit, withExpected, bar }} />}
      overlay={<MarkLayer {...marks} compact={false} range={plotRange(slots, range)} />}
      table={
        <SlotTable
          {...{ label, slots }}
          columns={withExpected ? [OBSERVED, EXPECTED] : [{ ...OBSERVED, name: words.events }]}
        />
      }
    >
      <ObservedPlot
        {...{ slots, height, severity, mark }}
        areCounts={unit === undefined}
        topPixels={rowsOf(marks).top}
        fromMs={range.startMs}
        toMs={range.endMs}
        onHover={setHovered}
      />
    </ChartFigure>
  );
}

interface ReadoutProps extends Pick<ObservedChartProps, 'severity' | 'unit'> {
  /** Slot under the pointer; without one the legend alone. */
  slot: ObservedSlot | null | undefined;
  withExpected: boolean;
  /** Length of a bar. */
  bar: string;
}

function Readout({ slot, severity, unit, withExpected, bar }: ReadoutProps) {
  return (
    <>
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <span aria-hidden="true" className={`size-2 rounded-xs ${SEVERITY_FILLS[severity]}`} />
        {withExpected ? words.actual : words.events}{' '}
        {slot && <strong className="font-semibold">{formatCount(slot.observed)}</strong>}
      </span>
      {withExpected && (
        <span
          className="inline-flex items-center gap-1 whitespace-nowrap"
          title={unit === undefined ? words.band : undefined}
        >
          <span aria-hidden="true" className="h-0.5 w-3 bg-text opacity-80" />
          {words.expected}
          {unit === undefined && ' ±'}{' '}
          {slot && <strong className="font-semibold">{formatExpected(slot)}</strong>}
        </span>
      )}
      <span className="text-text-muted">
        {[unit, words.per(bar), slot && (slot.isRunning ? words.soFar(formatSlot(slot)) : formatSlot(slot))]
          .filter(Boolean)
          .join(', ')}
      </span>
    </>
  );
}

const formatExpected = ({ expected }: ObservedSlot) =>
  expected === null ? words.unknown : formatAmount(expected);

const OBSERVED: SlotColumn<ObservedSlot> = {
  name: words.actual,
  valueOf: ({ observed }) => formatCount(observed),
};
const EXPECTED: SlotColumn<ObservedSlot> = { name: words.expected, valueOf: formatExpected };
