import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount } from '../../../lib/format.ts';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { eventsBehindQuery } from '../queries.ts';
import { affectedThen, countAffected, nameAffected } from './affected.ts';
import { explainNoEvents, isAboutAbsence } from './evidence-words.ts';
import { seriesSearch } from './series-search.ts';

const SHOWN = 6;

/** Whom it hits most: correlation ids of the newest events; those of the opening where none are kept any more. */
export function MostAffected({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const { data, error, refetch } = useQuery(eventsBehindQuery(incident.id));
  if (!data) {
    return (
      <Section title="Most affected">
        {error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={SHOWN} rowClass="h-8" />
        )}
      </Section>
    );
  }
  const areKept = data.items.length > 0;
  const counts = countAffected(data.items);
  const affected = areKept ? counts.affected : affectedThen(evidence);
  const { project, range, from, to } = seriesSearch(incident, now);
  const [first] = affected;
  return (
    <Section title="Most affected">
      {first ? (
        <ol className="text-sm">
          {affected.slice(0, SHOWN).map(({ correlationId, key, count }) => (
            <li key={correlationId}>
              <Link
                to="/events"
                search={{ project, range, from, to, correlation_id: correlationId }}
                className="relative flex min-h-8 items-center gap-2 px-2 hover:bg-hover"
              >
                <span
                  aria-hidden="true"
                  className="absolute inset-y-1 left-0 rounded-sm bg-bad-soft"
                  style={{ width: `${(count / first.count) * 100}%` }}
                />
                <span className="relative min-w-0 flex-1 truncate">
                  {key && <span className="text-text-muted">{key} </span>}
                  <span className="font-mono">{correlationId}</span>
                </span>
                <span className="relative">
                  {formatCount(count)}
                  <span className="sr-only"> events</span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <p className="py-2 text-sm text-text-muted">
          <Sentence
            text={
              areKept
                ? 'No user or order ids on these events. Add `correlation` to see who’s affected.'
                : explainNoEvents(evidence)
            }
          />
        </p>
      )}
      {first && (
        <p className="mt-1 px-2 text-xs text-text-muted">
          {areKept
            ? `${nameAffected(affected)} in the ${data.next ? 'newest ' : ''}${formatCount(data.items.length)} ${data.items.length === 1 ? 'event' : 'events'}`
            : `From when the incident opened.${isAboutAbsence(evidence) ? '' : ' Its events are no longer stored.'}`}
          {counts.anonymous > 0 && `, ${formatCount(counts.anonymous)} without an id`}
        </p>
      )}
    </Section>
  );
}
