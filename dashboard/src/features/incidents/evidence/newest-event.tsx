import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchOfAffected } from '../../../lib/affected.ts';
import type { Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { placeOf } from '../../../ui/event/place-of.ts';
import { texts as shared } from '../../../ui/texts.ts';
import { eventQuery, eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { eventsSearch, timeSearch } from './events-search.ts';

/** Maximum frames that fit beside the groups. */
const FRAMES_SHOWN = 3;

const PAIRS_SHOWN = 4;
/** Keys that come before the others of a correlation: the user and the order. */
const FIRST = ['user_id', 'customer_id', 'order_id'];

/** The newest event of an incident: its message, its ids, and the top of its stack. */
export function NewestEvent({ incident }: { incident: Incident }) {
  const now = useNow();
  const { data: events } = useQuery(eventsBehindQuery(incident.id));
  const newest = events?.items[0];
  const { data: whole } = useQuery({ ...eventQuery(newest?.id ?? ''), enabled: newest !== undefined });
  if (!newest) return null;
  const { id, message, correlation, release, capturedAt } = newest;
  const frames = whole?.frames ?? [];
  const own = frames.filter(({ inApplication }) => inApplication);
  return (
    <section aria-label={texts.groups.newest} className="min-w-0 rounded-md border border-line p-2 text-sm">
      <p className="flex gap-2 text-xs text-text-muted">
        <span className="flex-1">
          {texts.groups.newest}, <RelativeTime at={capturedAt} />
        </span>
        <Link
          to="/events"
          search={{ ...eventsSearch(incident, now), event: id }}
          className="text-accent hover:underline"
        >
          {texts.groups.openEvent}
        </Link>
      </p>
      <p className="line-clamp-2 wrap-anywhere">
        <Message text={message} />
      </p>
      <Named correlation={correlation} release={release} search={timeSearch(incident, now)} />
      {frames.length > 0 && (
        <ol className="mt-1 font-mono text-xs">
          {(own.length > 0 ? own : frames).slice(0, FRAMES_SHOWN).map((frame, index) => (
            <li key={index} className="truncate">
              {frame.function ?? shared.event.anonymous}{' '}
              <span className="text-text-muted">{placeOf(frame)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface NamedProps {
  correlation: Record<string, unknown>;
  release: string | null;
  search: ReturnType<typeof timeSearch>;
}

/** The ids and the release of an event, each a link to all events of that time with the same value. */
function Named({ correlation, release, search }: NamedProps) {
  const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  const pairs = Object.entries(correlation)
    .map(([key, value]) => [key, String(value)] as const)
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .slice(0, PAIRS_SHOWN);
  if (pairs.length === 0 && !release) return null;
  const link = (key: string, value: string, filter: EventSearch) => (
    <li key={key} className="max-w-full truncate">
      <Link to="/events" search={{ ...search, ...filter }} className="hover:underline">
        <span className="text-text-muted">{key}</span> {value}
      </Link>
    </li>
  );
  return (
    <ul className="flex flex-wrap gap-x-3 font-mono text-xs">
      {pairs.map(([key, value]) => link(key, value, searchOfAffected({ key, correlationId: value })))}
      {release && link('release', release, { release })}
    </ul>
  );
}
