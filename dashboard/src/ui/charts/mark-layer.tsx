import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { ReleaseMark } from '../../lib/releases/release-marks.ts';
import { texts } from '../texts.ts';
import { formatSlotTime, type TimeSlot } from './chart-time.ts';
import { type PlacedLabel, placeLabels, xOf } from './mark-layout.ts';
import {
  COMPACT_AXIS_PIXELS,
  COUNT_AXIS_PIXELS,
  EDGE_PIXELS,
  LABEL_ROW_PIXELS,
  rowsOf,
  TIME_AXIS_PIXELS,
} from './plot-frame.ts';

/** A moment that a chart names: "opened 21:20:49". */
export interface ChartMoment {
  atMs: number;
  label: string;
}

/** Marks that a chart shows over its bars. */
export interface ChartMarks {
  releases: readonly ReleaseMark[];
  moments?: readonly ChartMoment[] | undefined;
}

interface MarkLayerProps extends ChartMarks {
  /** Range of the time axis. */
  range: TimeSlot;
  /** True if the chart has no count axis. */
  compact: boolean;
}

/** Width of the list of folded marks, and its distance from their label. */
const PANEL_PIXELS = 256;
const GAP_PIXELS = 4;

/**
 * Lines over a plot at releases and other moments, with a row of labels above the bars. The layer is outside of the
 * plot's image: its labels are links, which a keyboard and a screen reader reach.
 */
export function MarkLayer({ releases, moments = [], range, compact }: MarkLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const width = useWidth(layer);
  const { momentRow, height } = rowsOf({ releases, moments });
  const labelled = releases.map((mark) => ({ ...mark, label: mark.release }));
  const isShown = ({ atMs }: { atMs: number }) => atMs >= range.startMs && atMs <= range.endMs;
  const line = (mark: { atMs: number }, key: string, look: string) => (
    <span
      key={key}
      className={`absolute bottom-0 w-0 border-l ${look}`}
      style={{ left: xOf(mark.atMs, range, width) }}
    />
  );
  return (
    <div
      ref={layer}
      className="pointer-events-none absolute top-0"
      style={{
        left: compact ? COMPACT_AXIS_PIXELS : COUNT_AXIS_PIXELS,
        right: EDGE_PIXELS,
        bottom: TIME_AXIS_PIXELS,
      }}
    >
      {width > 0 && height > 0 && (
        <>
          <div aria-hidden="true">
            {labelled
              .filter(isShown)
              .map((mark, index) => line(mark, `release ${index}`, 'top-5 border-dashed border-text-muted'))}
            {moments
              .filter(isShown)
              .map((moment) =>
                line(
                  moment,
                  moment.label,
                  momentRow === 0 ? 'top-4 border-critical' : 'top-10 border-critical',
                ),
              )}
          </div>
          {releases.length > 0 && (
            <ul aria-label={texts.charts.marks.list}>
              {placeLabels(labelled, range, width, texts.charts.marks.releases).map((label) => (
                <li
                  key={label.marks[0].atMs}
                  className="pointer-events-auto absolute top-0"
                  style={{ left: label.left, maxWidth: label.width }}
                >
                  {label.marks.length === 1 ? <MarkLink mark={label.marks[0]} /> : <FoldedMarks {...label} />}
                </li>
              ))}
            </ul>
          )}
          {placeLabels(moments, range, width, texts.charts.marks.moments).map(({ label, left }) => (
            <p
              key={label}
              className="absolute text-xs leading-4 whitespace-nowrap text-critical"
              style={{ left: left + 4, top: momentRow * LABEL_ROW_PIXELS }}
            >
              {label}
            </p>
          ))}
        </>
      )}
    </div>
  );
}

/** Look of a label, whose touch area extends over the plot and the readout. */
const LABEL_LOOK =
  'relative flex h-6 items-center truncate rounded-sm border border-line bg-raised px-1 text-xs hover:bg-hover pointer-coarse:before:absolute pointer-coarse:before:-inset-2';

/** A link to the events of the release. */
function MarkLink({ mark }: { mark: ReleaseMark }) {
  const description = `${mark.release}: ${describeMark(mark)}`;
  return (
    <Link
      to="/events"
      search={mark.search}
      title={description}
      aria-label={description}
      className={LABEL_LOOK}
    >
      <span className="truncate">{mark.release}</span>
    </Link>
  );
}

/** Describes the environment or the project, and the time. */
function describeMark({ environment, isDeploy, projectName, atMs }: ReleaseMark): string {
  const deployed =
    environment !== null
      ? texts.charts.marks.deployedTo(environment)
      : isDeploy
        ? texts.charts.marks.deployed
        : texts.charts.marks.firstEvent;
  return [deployed, projectName, formatSlotTime(atMs)].filter(Boolean).join(', ');
}

/** A label for several marks, which opens their list over the whole page, since a chart may be in a box that scrolls. */
function FoldedMarks({ marks, label }: PlacedLabel<ReleaseMark & { label: string }>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [corner, setCorner] = useState({ left: 0, top: 0 });
  const place = () => {
    const { left, bottom } = button.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    setCorner({ left: Math.max(0, Math.min(left, innerWidth - PANEL_PIXELS)), top: bottom + GAP_PIXELS });
  };
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} className={LABEL_LOOK}>
        {label}
      </button>
      <ul
        id={id}
        popover="auto"
        aria-label={label}
        onBeforeToggle={place}
        className="fixed m-0 max-h-64 max-w-full overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-lg"
        style={{ ...corner, width: PANEL_PIXELS }}
      >
        {marks.map((mark, index) => (
          <li key={index}>
            <Link
              to="/events"
              search={mark.search}
              className="block rounded-sm px-2 py-1 text-sm hover:bg-hover"
            >
              <span className="block truncate">{mark.release}</span>
              <span className="block text-xs text-text-muted wrap-anywhere">{describeMark(mark)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the width of an element in pixels; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    const resize = new ResizeObserver(() => setWidth(observed.clientWidth));
    resize.observe(observed);
    return () => resize.disconnect();
  }, [element]);
  return width;
}
