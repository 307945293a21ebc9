import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { placeOf, readFrames } from '../../../ui/event/read-frames.ts';
import { eventQuery, eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { isAboutAbsence } from './evidence-words.ts';
import { seriesSearch } from './series-search.ts';

/** As many as fit beside the groups. */
const FRAMES_SHOWN = 3;

/** The newest event of an incident: its message, whom it names, and the top of its stack. */
export function NewestEvent({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const { data: events } = useQuery(eventsBehindQuery(incident.id));
  const newest = isAboutAbsence(evidence) ? undefined : events?.items[0];
  const { data: whole } = useQuery({ ...eventQuery(newest?.id ?? ''), enabled: newest !== undefined });
  if (!newest) return null;
  const { id, message, correlation, release, capturedAt } = newest;
  const frames = whole ? readFrames(whole.payload) : [];
  const own = frames.filter(({ inApplication }) => inApplication);
  const pairs = Object.entries(correlation).slice(0, 4);
  return (
    <section aria-label={texts.groups.newest} className="min-w-0 rounded-md border border-line p-2 text-sm">
      <p className="flex gap-2 text-xs text-text-muted">
        <span className="flex-1">
          {texts.groups.newest}, <RelativeTime at={capturedAt} />
        </span>
        <Link
          to="/events"
          search={{ ...seriesSearch(incident, now), event: id }}
          className="text-accent hover:underline"
        >
          {texts.groups.openEvent}
        </Link>
      </p>
      <p className="line-clamp-2 wrap-anywhere">
        <Message text={message} />
      </p>
      {(pairs.length > 0 || release) && (
        <p className="truncate font-mono text-xs text-text-muted">
          {[...pairs.map(([key, value]) => `${key} ${String(value)}`), release].filter(Boolean).join(' · ')}
        </p>
      )}
      {frames.length > 0 && (
        <ol className="mt-1 font-mono text-xs">
          {(own.length > 0 ? own : frames).slice(0, FRAMES_SHOWN).map((frame, index) => (
            <li key={index} className="truncate">
              {frame.function ?? '(anonymous)'} <span className="text-text-muted">{placeOf(frame)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
