import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { LazyPart } from '../layout/lazy-part.tsx';
import { texts } from '../texts.ts';

interface ChartFigureProps {
  /** Title of the chart. */
  label: string;
  /** Sentence that describes the plot, for assistive technology. */
  summary: string;
  /** Legend of the bars, with the numbers of the one under the pointer; undefined before the data arrives. */
  readout: ReactNode;
  /** Text in place of the bars; null if there are bars. */
  emptiness: string | null;
  /** Height of the plot in pixels; it does not depend on the data. */
  height: number;
  /** Called by the button `Zoom out` and a double click on the plot; unset if there is nothing to go back to. */
  onReset?: (() => void) | undefined;
  /** Exact numbers of the plot, as a table. */
  table: ReactNode;
  /** Further buttons. */
  actions?: ReactNode;
  /** Content over the plot, which can be reached by keyboard. */
  overlay?: ReactNode;
  /** Plot. */
  children: ReactNode;
}

/** The parts around the plot that all charts share: a readout, buttons, and the numbers as a table. */
export function ChartFigure(props: ChartFigureProps) {
  const { label, summary, readout, emptiness, height, onReset, table, actions, overlay, children } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <figure aria-label={label} className="min-w-0">
      <div className="mb-1 flex items-start gap-2 text-xs">
        <p className="flex min-h-10 min-w-0 flex-1 flex-wrap content-center items-center gap-x-4 gap-y-1 sm:min-h-8">
          {readout}
        </p>
        {onReset && (
          <Button variant="ghost" onClick={onReset}>
            {texts.charts.zoomOut}
          </Button>
        )}
        <Button variant="ghost" aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {texts.charts.asTable}
        </Button>
        {actions}
      </div>
      <div className="relative" style={{ height }}>
        {/* Beside the plot, not around it: it has its name before the code is there, and contains no button of a failure. */}
        <LazyPart>{children}</LazyPart>
        <div
          role="img"
          aria-label={summary}
          className="pointer-events-none absolute inset-0 flex items-center justify-center text-sm text-text-muted"
        >
          {emptiness}
        </div>
        {overlay}
      </div>
      {asTable && <div className="mt-2">{table}</div>}
    </figure>
  );
}
