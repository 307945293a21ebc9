import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNow } from '../../lib/clock.ts';
import { type EventSearch, toEventFilter } from '../../lib/event-search.ts';
import { boundsOf, useScope } from '../../lib/scope.ts';
import { Button } from '../../ui/button.tsx';
import { SeverityChart } from '../../ui/severity-chart.tsx';
import { histogramQuery } from './queries.ts';

const STORAGE_KEY = 'tocsin.events.chart';
const HEIGHT = 64;

/** The events of the list over time; a part of it can be chosen. */
export function EventHistogram({ search }: { search: EventSearch }) {
  const [hidden, setHidden] = useState(() => localStorage.getItem(STORAGE_KEY) === 'hidden');
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, hidden ? 'shown' : 'hidden');
    setHidden(!hidden);
  };
  const button = (
    <Button look="quiet" aria-expanded={!hidden} className="text-xs" onClick={toggle}>
      {hidden ? 'Show chart' : 'Hide chart'}
    </Button>
  );
  return (
    // The chart's table may be long, and must leave room for the list.
    <div className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line pr-1 pl-4">
      {hidden ? <div className="flex justify-end">{button}</div> : <Chart search={search} actions={button} />}
    </div>
  );
}

function Chart({ search, actions }: { search: EventSearch; actions: ReactNode }) {
  const [scope, setScope] = useScope();
  // A range that moves does so each minute.
  const nowMs = useNow();
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  const { data: buckets } = useQuery(
    histogramQuery({
      ...toEventFilter(search, scope),
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    }),
  );
  return (
    <SeverityChart
      label="Events over time"
      buckets={buckets}
      fromMs={fromMs}
      toMs={toMs}
      height={HEIGHT}
      compact
      onSelect={(selectedFromMs, selectedToMs) =>
        setScope({ from: new Date(selectedFromMs).toISOString(), to: new Date(selectedToMs).toISOString() })
      }
      onReset={scope.from ? () => setScope({ from: undefined, to: undefined }) : undefined}
      actions={actions}
    />
  );
}
