import { useQuery } from '@tanstack/react-query';
import { titleOfSeries } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useReleaseMarks } from '../../../lib/release-marks.ts';
import { formatSecond } from '../../../ui/charts/chart-time.ts';
import type { ChartMoment } from '../../../ui/charts/mark-layer.tsx';
import { ObservedChart } from '../../../ui/charts/observed-chart.tsx';
import { Failure } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { pointsQuery } from '../queries.ts';
import { chartRange } from './chart-range.ts';

/** Observed against expected counts, from before the incident to its end. */
export function IncidentChart({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { data: points, error, refetch } = useQuery(pointsQuery(incident));
  const range = chartRange(evidence, incident.createdAt, points);
  const { projectId: project } = incident;
  const { startMs, endMs } = range;
  const bounds = { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() };
  const releases = useReleaseMarks({ project, search: bounds, fromMs: startMs, toMs: endMs });
  return (
    <Section title="Actual vs. expected">
      {error && !points ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ObservedChart
          label={titleOfSeries(evidence.series)}
          points={points}
          range={range}
          height={200}
          unit={evidence.rule === 'failed_payments' ? '% of payments' : undefined}
          marks={{ releases, moments: momentsOf(incident) }}
          severity={evidence.series.severity}
          mark={{ startMs: Date.parse(evidence.from), endMs: Date.parse(evidence.to) }}
        />
      )}
    </Section>
  );
}

/** When it opened and ended, to the second: the marked window is where it was found. */
function momentsOf({ createdAt, resolvedAt }: Incident): ChartMoment[] {
  const momentOf = (word: string, at: string) => ({
    atMs: Date.parse(at),
    label: `${word} ${formatSecond(Date.parse(at))}`,
  });
  return [momentOf('opened', createdAt), ...(resolvedAt ? [momentOf('resolved', resolvedAt)] : [])];
}
