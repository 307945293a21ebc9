import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { EventRows } from './event-rows.tsx';
import { eventsSearch } from './events-search.ts';
import { explainNoEvents, isAboutAbsence } from './evidence-words.ts';

const SHOWN = 5;

/** The newest events behind the incident; for missing events, the last ones before it. */
export function SampleEvents({ incident, evidence }: { incident: IncidentDetail; evidence: Evidence }) {
  const now = useNow();
  const { data, error, refetch } = useQuery(eventsBehindQuery(incident.id));
  const search = eventsSearch(incident, now);
  const isAbsence = isAboutAbsence(evidence);
  const title = isAbsence ? texts.events.before(evidence.rule === 'drop') : texts.events.newest;
  const all = isAbsence ? texts.events.around : texts.events.all(incident.eventCount);
  const keptFrom = incident.facts?.eventsKeptFrom;
  return (
    <Section
      title={title}
      actions={
        <Link
          to="/events"
          search={search}
          className="text-sm leading-6 text-accent hover:underline print:hidden"
        >
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
      ) : (
        <QueryState query={{ error, refetch }} rows={SHOWN} rowClass="h-8" />
      )}
      {keptFrom && (
        <p className="mt-1 px-2 text-xs text-text-muted">
          {texts.events.keptFrom(formatSlotTime(Date.parse(keptFrom)))}
        </p>
      )}
      {incident.until !== null && !isAbsence && (
        <p className="mt-1 px-2 text-xs text-text-muted">{texts.events.late}</p>
      )}
    </Section>
  );
}
