import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../../lib/api.ts';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { Empty, QueryState, Skeleton } from '../../../ui/feedback/states.tsx';
import { LazyPart, lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { texts as words } from '../../../ui/texts.ts';
import { IncidentChart } from '../evidence/incident-chart.tsx';
import { IncidentGroups } from '../evidence/incident-groups.tsx';
import { JoinedSeries } from '../evidence/joined-series.tsx';
import { MostAffected } from '../evidence/most-affected.tsx';
import { NewestEvent } from '../evidence/newest-event.tsx';
import { PreviousIncidents } from '../evidence/previous-incidents.tsx';
import { SampleEvents } from '../evidence/sample-events.tsx';
import { eventsBehindQuery, incidentQuery, previousIncidentsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { IncidentHead } from './incident-head.tsx';
import { useEventRenewal } from './use-event-renewal.ts';

// Few incidents need it.
const OtherOrigin = lazyPart(() => import('../evidence/other-origin.tsx'), 'OtherOrigin');

/** An incident on one screen: its cause, its actions and its evidence. */
export function IncidentPage() {
  const { incidentId } = useParams({ from: '/inside/incidents/$incidentId' });
  const { data: incident, error, refetch } = useQuery(incidentQuery(incidentId));
  useEventRenewal(incidentId);
  if (!incident) {
    return (
      <Page title={texts.page.title}>
        {error instanceof ApiError && error.status === 404 ? (
          <NoIncident />
        ) : (
          <QueryState query={{ error, refetch }} rows={8} />
        )}
      </Page>
    );
  }
  const { evidence } = incident;
  return (
    <div key={incident.id} className="max-w-[1200px] px-4 py-4">
      <IncidentHead incident={incident} />
      <div className="flex grid-cols-[minmax(0,1fr)_20rem] flex-col gap-x-6 lg:grid">
        <div className="min-w-0 max-lg:contents">
          <LazyPart key={incident.id} fallback={<Skeleton rows={8} />}>
            {evidence ? (
              <>
                <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 md:max-lg:grid-cols-2 xl:grid-cols-2 print:grid-cols-1 [&>*:only-child]:col-span-full">
                  <NewestEvent incident={incident} />
                  <IncidentGroups incident={incident} />
                </div>
                <IncidentChart incident={incident} evidence={evidence} />
                <JoinedSeries incident={incident} evidence={evidence} />
                <SampleEvents incident={incident} evidence={evidence} />
              </>
            ) : (
              <OtherOrigin incident={incident} />
            )}
          </LazyPart>
        </div>
        <div className="min-w-0 max-lg:contents">
          <SideColumn incident={incident} />
        </div>
      </div>
    </div>
  );
}

/** The column beside the evidence. What is below late parts is drawn after them, so that it does not move. */
function SideColumn({ incident }: { incident: IncidentDetail }) {
  const { id, evidence, lead } = incident;
  const showsAffected = evidence !== null && lead.kind !== 'absence';
  const affected = useQuery({ ...eventsBehindQuery(id), enabled: showsAffected });
  const previous = useQuery(previousIncidentsQuery(id));
  const isLate = [previous, affected].some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  return (
    <>
      {showsAffected && <MostAffected incident={incident} evidence={evidence} />}
      {!isLate && (
        <>
          <PreviousIncidents incident={incident} />
          <Timeline incident={incident} />
          <Link
            to="/incidents/$incidentId/notifications"
            params={{ incidentId: id }}
            className="inline-block text-sm leading-6 text-accent hover:underline"
          >
            {texts.notified}
          </Link>
        </>
      )}
    </>
  );
}

function NoIncident() {
  return (
    <Empty
      sign="lost"
      title={texts.page.notFound}
      action={
        <Link to="/incidents" className={buttonClass('primary')}>
          {texts.page.all}
        </Link>
      }
    >
      {words.unknownProject.why}
    </Empty>
  );
}
