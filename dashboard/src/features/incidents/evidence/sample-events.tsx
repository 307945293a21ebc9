import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { eventsBehindQuery } from '../queries.ts';
import { EventRows } from './event-rows.tsx';
import { explainNoEvents, isAboutAbsence } from './evidence-words.ts';
import { seriesSearch } from './series-search.ts';

const SHOWN = 5;

/** The newest events behind the incident; where events are missing, the last ones that came. */
export function SampleEvents({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const { data, error, refetch } = useQuery(eventsBehindQuery(incident.id));
  const search = seriesSearch(incident, now);
  const [title, all] = isAboutAbsence(evidence)
    ? [`Last events before the ${evidence.rule === 'drop' ? 'drop' : 'gap'}`, 'View events around this time']
    : ['Newest events', 'View all events'];
  return (
    <Section
      title={title}
      actions={
        <Link to="/events" search={search} className="text-sm text-accent hover:underline">
          {all}
        </Link>
      }
    >
      {data ? (
        data.items.length === 0 ? (
          <p className="text-sm text-text-muted">{explainNoEvents(evidence)}</p>
        ) : (
          <EventRows label={title} events={data.items.slice(0, SHOWN)} search={search} />
        )
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={SHOWN} rowClass="h-8" />
      )}
    </Section>
  );
}
