import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { eventsBehindQuery } from '../queries.ts';
import { explainNoEvents, isAboutAbsence } from './evidence-words.ts';
import { seriesSearch } from './series-search.ts';

const SHOWN = 10;

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
          <ul aria-label={title} className="divide-y divide-line border-y border-line">
            {data.items
              .slice(0, SHOWN)
              .map(({ id, severity, message, correlationId, fingerprint, capturedAt }) => (
                <li key={id}>
                  <Link
                    to="/events"
                    search={{ ...search, event: id }}
                    className="flex min-h-8 items-center gap-3 px-2 hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <SeverityGlyph severity={severity} />
                    <span className="min-w-0 flex-1 truncate">
                      {message === '' ? '(no message)' : message}
                    </span>
                    {correlationId !== fingerprint && (
                      <span className="hidden max-w-40 truncate font-mono text-xs text-text-muted sm:inline">
                        {correlationId}
                      </span>
                    )}
                    <RelativeTime at={capturedAt} className="w-20 text-right text-sm text-text-muted" />
                  </Link>
                </li>
              ))}
          </ul>
        )
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={SHOWN} rowClass="h-8" />
      )}
    </Section>
  );
}
