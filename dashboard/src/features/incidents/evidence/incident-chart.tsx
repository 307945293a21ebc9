import { useQuery } from '@tanstack/react-query';
import { titleOfSeries } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { ObservedChart } from '../../../ui/charts/observed-chart.tsx';
import { Failure } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { pointsQuery } from '../queries.ts';
import { chartRange } from './chart-range.ts';

/** Observed against expected counts, from before the incident to its end. */
export function IncidentChart({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { data: points, error, refetch } = useQuery(pointsQuery(incident));
  return (
    <Section title="Actual vs. expected">
      {error && !points ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ObservedChart
          label={titleOfSeries(evidence.series)}
          points={points}
          range={chartRange(evidence, points)}
          height={180}
          unit={evidence.rule === 'failed_payments' ? '% of payments' : undefined}
          severity={evidence.series.severity}
          mark={{ startMs: Date.parse(evidence.from), endMs: Date.parse(evidence.to) }}
        />
      )}
    </Section>
  );
}
