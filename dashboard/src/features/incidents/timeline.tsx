import type { IncidentDetail, TimelineItem } from '../../lib/api-types.ts';
import { Section } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { NoteForm } from './note-form.tsx';
import { describeEntry } from './timeline-words.ts';

/** What was done and said, newest first. */
export function Timeline({ incident }: { incident: IncidentDetail }) {
  return (
    <Section title="Timeline">
      <NoteForm incidentId={incident.id} />
      <ol aria-label="Timeline" className="mt-3 space-y-3 border-l border-line pl-3 text-sm">
        {incident.timeline.toReversed().map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </Section>
  );
}

function Entry({ entry }: { entry: TimelineItem }) {
  const { at, by, note } = entry;
  const change = describeEntry(entry);
  return (
    <li className="wrap-anywhere">
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">
          <span className="font-semibold">{by?.name ?? 'Tocsin'}</span> {change ?? 'noted'}
        </span>
        <RelativeTime at={at} className="text-xs text-text-muted" />
      </p>
      {note !== null && (
        <p className={`mt-0.5 whitespace-pre-wrap ${by ? '' : 'text-text-muted'}`}>
          {by ? note : <Sentence text={note} />}
        </p>
      )}
    </li>
  );
}
