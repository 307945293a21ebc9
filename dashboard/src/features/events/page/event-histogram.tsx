import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EventFilterParameters } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { histogramQuery } from '../../../lib/histogram-query.ts';
import { useReleaseMarks } from '../../../lib/releases/release-marks.ts';
import { boundsOf, useScope } from '../../../lib/scope.ts';
import { type EventSearch, toEventFilter, toQueryRange } from '../../../lib/search/event-search.ts';
import { SeverityChart } from '../../../ui/charts/severity-chart.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Failure } from '../../../ui/feedback/states.tsx';
import { texts } from '../texts.ts';

const STORAGE_KEY = 'tocsin.events.chart';
/** Height in pixels: 72 for the bars, below the labels of releases. */
const HEIGHT = 120;

interface HistogramProps {
  search: EventSearch;
  /** Filter of the list: another one begins with the first scan again. */
  filter: EventFilterParameters;
}

/** The events of the list over time, with a range that can be selected. */
export function EventHistogram({ search, filter }: HistogramProps) {
  const [hidden, setHidden] = useState(() => localStorage.getItem(STORAGE_KEY) === 'hidden');
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, hidden ? 'shown' : 'hidden');
    setHidden(!hidden);
  };
  const button = (
    <Button variant="ghost" aria-expanded={!hidden} className="text-xs" onClick={toggle}>
      {hidden ? texts.chart.show : texts.chart.hide}
    </Button>
  );
  return (
    // The chart's table may be long and must leave room for the list.
    <div className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line pr-1 pl-4">
      {hidden ? (
        <div className="flex justify-end">{button}</div>
      ) : (
        <Chart {...{ search, filter }} actions={button} />
      )}
    </div>
  );
}

function Chart({ search, filter, actions }: HistogramProps & { actions: ReactNode }) {
  const [scope, setScope] = useScope();
  // A moving range moves each minute.
  const nowMs = useNow();
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  const [scanned, setScanned] = useState({ filter, scans: 1 });
  const scans = scanned.filter === filter ? scanned.scans : 1;
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(
    histogramQuery(
      {
        ...toEventFilter(search, scope),
        ...toQueryRange(fromMs, toMs),
      },
      scans,
    ),
  );
  const { event: _event, live: _live, ...filters } = search;
  const releases = useReleaseMarks({
    project: scope.project,
    search: { ...filters, ...scope },
    fromMs,
    toMs,
  });
  if (error && !data) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <SeverityChart
      label={texts.chart.title}
      buckets={data?.buckets}
      scannedFromMs={data?.scan?.fromMs}
      onScanFurther={() => setScanned({ filter, scans: 2 * scans })}
      scanning={isFetching && isPlaceholderData}
      fromMs={fromMs}
      toMs={toMs}
      height={HEIGHT}
      marks={{ releases }}
      compact
      onSelect={(selectedFromMs, selectedToMs) =>
        setScope({ from: new Date(selectedFromMs).toISOString(), to: new Date(selectedToMs).toISOString() })
      }
      onReset={scope.from ? () => setScope({ from: undefined, to: undefined }) : undefined}
      actions={actions}
    />
  );
}
