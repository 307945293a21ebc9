import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Evidence, Incident } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { Section } from '../../ui/page.tsx';
import { SeverityChart } from '../../ui/severity-chart.tsx';
import { Failure } from '../../ui/states.tsx';
import { chartWindow, countedIn, expectedPerBucket } from './chart-window.ts';
import { seriesQuery } from './queries.ts';

/** What was observed against what was to be expected, around the opening. */
export function IncidentChart({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const around = chartWindow(evidence, incident.resolvedAt, now);
  const { data, error, refetch } = useQuery(seriesQuery(incident, around));
  const counted = useMemo(() => data && countedIn(data, evidence), [data, evidence]);
  const { type, source } = evidence.series;
  const what = type === 'payment' ? 'Events' : 'Errors';
  return (
    <Section title="Observed and expected">
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <SeverityChart
          label={`${what} of ${type}${source ? ` from ${source}` : ''}`}
          buckets={counted}
          {...around}
          height={180}
          expected={{ perBucket: expectedPerBucket(evidence, around.intervalMs) }}
          mark={{ fromMs: Date.parse(evidence.from), toMs: Date.parse(evidence.to) }}
        />
      )}
    </Section>
  );
}
