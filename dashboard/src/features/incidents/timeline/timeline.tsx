import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IncidentDetail, TimelineItem } from '../../../lib/api-types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { Skeleton } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { earlierTimelineQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { NoteForm } from './note-form.tsx';
import { describeEntry, describeOwnEntry } from './timeline-words.ts';

/** Changes and notes of an incident, newest first. */
export function Timeline({ incident }: { incident: IncidentDetail }) {
  const [showsEarlier, setShowsEarlier] = useState(false);
  const [oldest] = incident.timeline;
  return (
    <Section title={texts.timeline.title}>
      <NoteForm incidentId={incident.id} />
      <ol aria-label={texts.timeline.title} className="mt-3 space-y-3 border-l border-line pl-3 text-sm">
        {incident.timeline.toReversed().map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
        {oldest && showsEarlier && <EarlierEntries incidentId={incident.id} beforeEntry={oldest.id} />}
      </ol>
      {oldest && !isCreation(oldest) && !showsEarlier && (
        <Button className="mt-3" onClick={() => setShowsEarlier(true)}>
          {texts.timeline.earlier}
        </Button>
      )}
    </Section>
  );
}

/** Returns true for the first entry of all, which says how the incident was created. */
function isCreation({ from, to }: TimelineItem): boolean {
  return from === null && to !== null;
}

function EarlierEntries({ incidentId, beforeEntry }: { incidentId: string; beforeEntry: string }) {
  const list = useInfiniteQuery(earlierTimelineQuery(incidentId, beforeEntry));
  if (list.isPending) return <Skeleton rows={3} />;
  const entries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
      <li>
        <LoadMore list={list} />
      </li>
    </>
  );
}

function Entry({ entry }: { entry: TimelineItem }) {
  const { at, by, note } = entry;
  return (
    <li className="wrap-anywhere">
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">
          {by ? (
            <>
              <span className="font-semibold">{by.name}</span> {describeEntry(entry)}
            </>
          ) : (
            <span className="font-semibold">{describeOwnEntry(entry)}</span>
          )}
        </span>
        <RelativeTime at={at} className="text-xs text-text-muted" />
      </p>
      {note !== null && (
        <p className={`mt-0.5 whitespace-pre-wrap ${by ? '' : 'text-text-muted'}`}>
          {by ? note : <Sentence text={note} at={at} />}
        </p>
      )}
    </li>
  );
}
