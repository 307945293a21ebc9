import { useQuery } from '@tanstack/react-query';
import { useReleaseMarks } from '../../lib/releases/release-marks.ts';
import { boundsOf, useScope } from '../../lib/scope.ts';
import { SeverityChart } from '../../ui/charts/severity-chart.tsx';
import { Failure } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { histogramQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.eventsOverTime;

/** The chart of events; dragging over it sets the time range of the whole page. */
export function EventsOverTime() {
  const [scope, setScope] = useScope();
  const { data, error, refetch } = useQuery(histogramQuery(scope));
  const zoomed = scope.from !== undefined;
  const { fromMs, toMs } = data ?? boundsOf(scope);
  const releases = useReleaseMarks({ project: scope.project, search: { ...scope }, fromMs, toMs });
  return (
    <Section title={words.title}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <SeverityChart
          label={words.title}
          buckets={data?.buckets}
          fromMs={fromMs}
          toMs={toMs}
          marks={{ releases }}
          onSelect={(selectedFromMs, selectedToMs) =>
            setScope({
              from: new Date(selectedFromMs).toISOString(),
              to: new Date(selectedToMs).toISOString(),
            })
          }
          onReset={zoomed ? () => setScope({ from: undefined, to: undefined }) : undefined}
        />
      )}
    </Section>
  );
}
