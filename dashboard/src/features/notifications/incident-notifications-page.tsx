import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Delivery, NotificationDecision } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { DeliveryList } from '../../ui/delivery/delivery-list.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { decisionsQuery, deliveriesQuery, incidentQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.incident;

/** The messages of an incident with their targets and answers, and the decision of each route. */
export function IncidentNotificationsPage() {
  const { incidentId } = useParams({ from: '/inside/incidents/$incidentId/notifications' });
  const incident = useQuery(incidentQuery(incidentId));
  const deliveries = useQuery(deliveriesQuery(incidentId));
  const decisions = useQuery(decisionsQuery(incidentId));
  const failed = [incident, deliveries, decisions].find(({ error }) => error);
  return (
    <Page title={words.title}>
      {incident.data && (
        <p className="mb-4 wrap-anywhere">
          <Link
            to="/incidents/$incidentId"
            params={{ incidentId }}
            className="inline-block min-h-6 underline"
          >
            {words.back(incident.data.title)}
          </Link>
        </p>
      )}
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {deliveries.data && decisions.data ? (
        <>
          <Section title={words.sent}>
            <Messages deliveries={deliveries.data} />
          </Section>
          <Section title={words.why}>
            {decisions.data.length === 0 && <p className="text-text-muted">{words.noRoutes}</p>}
            <ul aria-label={words.why} className="text-sm">
              {decisions.data.map(({ id, change, at, decisions: all }) => (
                <li key={id} className="border-b border-line py-1.5">
                  <p>
                    {words.change(change)}{' '}
                    <time dateTime={at} className="text-text-muted">
                      {formatExactTime(at)}
                    </time>
                  </p>
                  <RouteDecisions decisions={all.filter((one) => one.decision !== 'skipped')} />
                  <SkippedRoutes decisions={all.filter((one) => one.decision === 'skipped')} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      ) : (
        !failed && <Skeleton rows={4} />
      )}
    </Page>
  );
}

/** The messages; those that were not sent, such as updates of none, are folded. */
function Messages({ deliveries }: { deliveries: Delivery[] }) {
  const sent = deliveries.filter(({ state }) => state !== 'dropped');
  const dropped = deliveries.filter(({ state }) => state === 'dropped');
  const lead = ({ targetName }: Delivery) => targetName;
  return (
    <>
      {sent.length === 0 ? (
        <p className="text-text-muted">{words.none}</p>
      ) : (
        <DeliveryList label={words.sent} deliveries={sent} lead={lead} />
      )}
      {dropped.length > 0 && (
        <details>
          <summary className="min-h-6 text-xs text-text-muted">{words.notSent(dropped.length)}</summary>
          <DeliveryList label={words.notSent(dropped.length)} deliveries={dropped} lead={lead} />
        </details>
      )}
    </>
  );
}

function RouteDecisions({ decisions }: Pick<NotificationDecision, 'decisions'>) {
  return (
    <ul className="mt-0.5 space-y-0.5 text-xs text-text-muted">
      {decisions.map(({ routeId, targetName, reason }) => (
        <li key={routeId} className="wrap-anywhere">
          {words.target(targetName)}: {reason}
        </li>
      ))}
    </ul>
  );
}

/** Routes that had nothing to do, folded. */
function SkippedRoutes({ decisions }: Pick<NotificationDecision, 'decisions'>) {
  if (decisions.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 text-xs text-text-muted">{words.skipped(decisions.length)}</summary>
      <RouteDecisions decisions={decisions} />
    </details>
  );
}
