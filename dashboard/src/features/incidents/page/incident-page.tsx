import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../../lib/api.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { Empty, Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { IncidentChart } from '../evidence/incident-chart.tsx';
import { MostAffected } from '../evidence/most-affected.tsx';
import { SampleEvents } from '../evidence/sample-events.tsx';
import { incidentQuery } from '../queries.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { IncidentHead } from './incident-head.tsx';
import { useEventRenewal } from './use-event-renewal.ts';

/** An incident on one screen: its cause, its actions and the evidence for a decision. */
export function IncidentPage() {
  const { incidentId } = useParams({ from: '/inside/incidents/$incidentId' });
  const { data: incident, error, refetch } = useQuery(incidentQuery(incidentId));
  useEventRenewal(incidentId);
  if (!incident) {
    return (
      <Page title="Incident">
        {error instanceof ApiError && error.status === 404 ? (
          <NoIncident />
        ) : error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Page>
    );
  }
  const { evidence } = incident;
  return (
    <div key={incident.id} className="mx-auto max-w-[1200px] px-4 py-4">
      <IncidentHead incident={incident} />
      {evidence ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <IncidentChart incident={incident} evidence={evidence} />
          <MostAffected incident={incident} evidence={evidence} />
          <SampleEvents incident={incident} evidence={evidence} />
          <Timeline incident={incident} />
        </div>
      ) : (
        <div className="max-w-2xl">
          <Timeline incident={incident} />
        </div>
      )}
    </div>
  );
}

function NoIncident() {
  return (
    <Empty
      title="Incident not found"
      action={
        <Link to="/incidents" className={buttonClass('primary')}>
          All incidents
        </Link>
      }
    >
      Its project may have been deleted, or it belongs to another organization.
    </Empty>
  );
}
