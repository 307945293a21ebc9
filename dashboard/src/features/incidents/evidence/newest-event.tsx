import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchOfAffected } from '../../../lib/affected.ts';
import type { Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { placeOf } from '../../../ui/event/place-of.ts';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { texts as shared } from '../../../ui/texts.ts';
import { eventQuery, eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { eventsSearch, timeSearch } from './events-search.ts';

/** Maximum frames of the card: its height is the same with and without them. */
const FRAMES_SHOWN = 3;

/** Pairs in the one line that the card has for them. */
const PAIRS_SHOWN = 2;
/** Keys that come before the others of a correlation: the user and the order. */
const FIRST = ['user_id', 'customer_id', 'order_id'];

/** The newest event of an incident, of missing events the last one: its message, its ids, and the top of its stack. */
export function NewestEvent({ incident }: { incident: Incident }) {
  const now = useNow();
  const { data: events, error, refetch } = useQuery(eventsBehindQuery(incident.id));
  const newest = events?.items[0];
  const { data: whole } = useQuery({ ...eventQuery(newest?.id ?? ''), enabled: newest !== undefined });
  if (events && !newest) return null;
  const frames = whole?.frames ?? [];
  const own = frames.filter(({ inApplication }) => inApplication);
  return (
    <Section
      title={incident.lead.kind === 'absence' ? texts.events.lastOne : texts.events.newestOne}
      actions={
        newest && (
          <Link
            to="/events"
            search={{ ...eventsSearch(incident, now), event: newest.id }}
            className="text-sm leading-6 text-accent hover:underline print:hidden"
          >
            {texts.events.open}
          </Link>
        )
      }
    >
      <div className="h-38 overflow-hidden rounded-md border border-line p-2 text-sm">
        {newest ? (
          <>
            <p className="line-clamp-2 wrap-anywhere">
              <Message text={newest.message} />
            </p>
            <p className="text-xs leading-5 text-text-muted">
              <RelativeTime at={newest.capturedAt} />
            </p>
            <Named correlation={newest.correlation} search={timeSearch(incident, now)} />
            {frames.length > 0 && (
              <ol className="font-mono text-xs">
                {(own.length > 0 ? own : frames).slice(0, FRAMES_SHOWN).map((frame, index) => (
                  <li key={index} className="truncate">
                    {frame.function ?? shared.event.anonymous}{' '}
                    <span className="text-text-muted">{placeOf(frame)}</span>
                  </li>
                ))}
              </ol>
            )}
          </>
        ) : (
          <QueryState query={{ error, refetch }} rows={3} rowClass="h-8" />
        )}
      </div>
    </Section>
  );
}

interface NamedProps {
  correlation: Record<string, unknown>;
  search: ReturnType<typeof timeSearch>;
}

/** The ids of an event, each a link to all events of that time with the same value. */
function Named({ correlation, search }: NamedProps) {
  const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  const pairs = Object.entries(correlation)
    .map(([key, value]) => [key, String(value)] as const)
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .slice(0, PAIRS_SHOWN);
  if (pairs.length === 0) return null;
  return (
    <ul className="flex gap-x-3 font-mono text-xs">
      {pairs.map(([key, value]) => (
        <li key={key} className="min-w-16 truncate">
          <Link
            to="/events"
            search={{ ...search, ...searchOfAffected({ key, correlationId: value }) }}
            className="inline-block leading-6 hover:underline"
          >
            <span className="text-text-muted">{key}</span> {value}
          </Link>
        </li>
      ))}
    </ul>
  );
}
