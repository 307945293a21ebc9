import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Group, WholeEvent } from '../../../lib/api-types.ts';
import { formatExactTime } from '../../../lib/format.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { JsonTree } from '../../../ui/event/json-tree.tsx';
import { LongText } from '../../../ui/event/long-text.tsx';
import { Part } from '../../../ui/event/part.tsx';
import { StackTraces } from '../../../ui/event/stack-trace.tsx';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { type EventPlace, groupEventQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const MAX_MESSAGE_LENGTH = 1_000;

/** One event of the group, at first its newest, with links to the others. */
export function GroupEvent({ group }: { group: Group }) {
  const [place, setPlace] = useState<EventPlace>('newest');
  const { data: event, error, refetch, isPlaceholderData } = useQuery(groupEventQuery(group.id, place));
  // There is no event beyond the last one, which stays.
  const [last, setLast] = useState<{ event: WholeEvent; title: string } | null>(null);
  const shown = event ?? last?.event;
  const isEnd = event === null && !isPlaceholderData;
  const go = (to: EventPlace) => setPlace(to);
  const older = () => shown && go({ before: shown.id });
  const newer = () => shown && go({ after: shown.id });
  useShortcuts([
    { keys: 'e', label: texts.keys.olderEvent, run: () => older() },
    { keys: 'E', label: texts.keys.newerEvent, run: () => newer() },
  ]);
  const atNewest = place === 'newest' || (isEnd && typeof place === 'object' && 'after' in place);
  const atOldest = place === 'oldest' || (isEnd && typeof place === 'object' && 'before' in place);
  const title = atNewest ? texts.page.newestEvent : atOldest ? texts.page.oldestEvent : texts.page.event;
  if (event && event !== last?.event && !isPlaceholderData) setLast({ event, title });
  return (
    <Section
      // The event before stays, with its title, until the next one is read.
      title={isPlaceholderData && last ? last.title : title}
      actions={
        <>
          <Link
            to="/events"
            search={{ group_id: group.id, project: group.projectId, range: '7d' }}
            className="px-2 text-sm leading-8 text-accent hover:underline print:hidden"
          >
            {texts.page.allEvents}
          </Link>
          {/* One row, on phones below the heading. */}
          <span className="flex gap-1">
            <Button variant="ghost" disabled={atOldest} onClick={() => go('oldest')}>
              {texts.page.oldest}
            </Button>
            <Button variant="ghost" disabled={atOldest} aria-keyshortcuts="e" onClick={older}>
              {texts.page.older} <Key>e</Key>
            </Button>
            <Button variant="ghost" disabled={atNewest} aria-keyshortcuts="E" onClick={newer}>
              {texts.page.newer} <Key>E</Key>
            </Button>
            <Button variant="ghost" disabled={atNewest} onClick={() => go('newest')}>
              {texts.page.newest}
            </Button>
          </span>
        </>
      }
    >
      {shown ? (
        <EventParts event={shown} group={group} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : event === null ? (
        <p className="text-sm text-text-muted">{texts.page.noEvents}</p>
      ) : (
        <Skeleton rows={6} />
      )}
    </Section>
  );
}

function EventParts({ event, group }: { event: WholeEvent; group: Group }) {
  const { id, message, release, capturedAt, payload, correlation, frames, causes } = event;
  const { stack: _stack, frames: _frames, causes: _causes, ...rest } = payload;
  const hasStack = frames.length > 0 || causes.length > 0;
  return (
    <div className="space-y-4 rounded-md border border-line p-3">
      <p className="flex flex-wrap items-baseline gap-x-4 text-sm leading-6 text-text-muted">
        <span>
          {formatExactTime(capturedAt)} <RelativeTime at={capturedAt} />
        </span>
        {release !== null && <span className="font-mono text-xs wrap-anywhere">{release}</span>}
        <Link
          to="/events"
          search={{ event: id, group_id: group.id, project: group.projectId, range: '7d' }}
          className="text-accent hover:underline"
        >
          {texts.page.openEvent}
        </Link>
      </p>
      <p>
        {message === '' ? (
          <span className="text-text-muted">{texts.page.noMessage}</span>
        ) : (
          <LongText text={message} limit={MAX_MESSAGE_LENGTH} />
        )}
      </p>
      {hasStack && (
        <Part title={texts.page.stackTrace}>
          <StackTraces frames={frames} causes={causes} />
        </Part>
      )}
      {Object.keys(correlation).length > 0 && (
        <Part title={texts.page.correlation}>
          <JsonTree key={id} label={texts.page.correlation} value={correlation} />
        </Part>
      )}
      <Part title={texts.page.payload}>
        <JsonTree key={id} label={texts.page.payload} value={hasStack ? rest : payload} />
      </Part>
    </div>
  );
}
