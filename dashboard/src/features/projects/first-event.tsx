import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Event } from '../../lib/api-types.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { firstEventQuery } from './queries.ts';
import { texts } from './start-texts.ts';

const words = texts.firstEvent;

/** Waits for the first event of a project, then shows it. */
export function FirstEvent({ projectId }: { projectId: string }) {
  const { data: event, error } = useQuery(firstEventQuery(projectId));
  const [hasWaited, setHasWaited] = useState(false);
  if (event === null && !hasWaited) setHasWaited(true);
  return (
    <div
      role="status"
      aria-label={words.firstEvent}
      className="mt-4 grid min-h-34 content-center rounded-md border border-line-strong bg-raised p-4"
    >
      {event ? (
        <Arrived event={event} isFirst={hasWaited} />
      ) : (
        <p className="flex flex-wrap items-center gap-x-2">
          <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-accent" />
          {words.waiting}
          <Link to="/projects/$projectId/requests" params={{ projectId }} className="text-accent underline">
            {words.requests}
          </Link>
          {error && <span className="text-text-muted">{error.message}</span>}
        </p>
      )}
    </div>
  );
}

function Arrived({ event, isFirst }: { event: Event; isFirst: boolean }) {
  return (
    <>
      <p className="mb-2 font-semibold text-good">{isFirst ? words.arrived : words.newest}</p>
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="flex max-w-full items-baseline gap-x-3">
          <SeverityGlyph severity={event.severity} />
          <span className="line-clamp-2 min-w-0 wrap-anywhere">{event.message}</span>
        </span>
        <span className="line-clamp-2 min-w-0 text-sm wrap-anywhere text-text-muted">
          {event.type}
          {event.source && ` · ${event.source}`}
        </span>
        <RelativeTime at={event.receivedAt} className="text-sm text-text-muted" />
      </p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Link to="/events" search={{ project: event.projectId, event: event.id }} className={buttonClass()}>
          {words.viewEvent}
        </Link>
        <Link to="/" search={{ project: event.projectId }} className={buttonClass()}>
          {words.openOverview}
        </Link>
      </p>
    </>
  );
}
