import { useQuery } from '@tanstack/react-query';
import { titleOfSeries } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { ObservedChart } from '../../../ui/charts/observed-chart.tsx';
import { Failure } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { pointsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { chartRange } from './chart-range.ts';
import { momentsOf } from './moments.ts';
import { useReleasesAround } from './releases-behind.ts';

/** Observed and expected counts from before the incident to its end, with the deploys of that time. */
export function IncidentChart({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { data: points, error, refetch } = useQuery(pointsQuery(incident));
  const sinceMs = Date.parse(incident.since);
  const range = chartRange(evidence, incident.createdAt, points);
  const releases = useReleasesAround(incident, useNow()).filter(
    ({ atMs }) => atMs >= range.startMs && atMs <= range.endMs,
  );
  return (
    <Section title={texts.chart.title}>
      {error && !points ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ObservedChart
          label={titleOfSeries(evidence.series)}
          points={points}
          range={range}
          height={200}
          unit={evidence.rule === 'failed_payments' ? texts.chart.ofPayments : undefined}
          marks={{ releases, moments: momentsOf(incident) }}
          // Bars of an absence are what came before it.
          severity={
            evidence.series.severity ?? (incident.lead.kind === 'absence' ? 'info' : incident.severity)
          }
          mark={{ startMs: sinceMs, endMs: Math.max(sinceMs, Date.parse(evidence.to)) }}
        />
      )}
    </Section>
  );
}
