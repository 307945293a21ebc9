import { Link } from '@tanstack/react-router';
import type { ListedEventRecord } from '../../../lib/api-types.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';

interface EventRowsProps {
  label: string;
  events: ListedEventRecord[];
  /** Search of the events page that a row opens. */
  search: EventSearch & Scope;
}

/** A row for each event, which opens on the events page. */
export function EventRows({ label, events, search }: EventRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {events.map(({ id, severity, message, correlationId, fingerprint, capturedAt }) => (
        <li key={id}>
          <Link
            to="/events"
            search={{ ...search, event: id }}
            className="flex min-h-8 items-center gap-3 px-2 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <SeverityGlyph severity={severity} />
            <span className="min-w-0 flex-1 truncate">
              <Message text={message} />
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
  );
}
