import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Incident, PreviousIncident } from '../../../lib/api-types.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { previousIncidentsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const NOTES_SHOWN = 2;

/** Earlier incidents of the same cause: duration, the person who resolved each, and notes. Renders nothing without any. */
export function PreviousIncidents({ incident }: { incident: Incident }) {
  const { data } = useQuery(previousIncidentsQuery(incident.id));
  if (!data || data.length === 0) return null;
  return (
    <Section title={texts.previous.title}>
      <ul aria-label={texts.previous.title} className="space-y-2 text-sm">
        {data.map((previous) => (
          <Previous key={previous.id} {...previous} />
        ))}
      </ul>
    </Section>
  );
}

function Previous({
  id,
  title,
  severity,
  createdAt,
  durationSeconds,
  resolvedBy,
  notes,
  noteCount,
}: PreviousIncident) {
  const { previous } = texts;
  const shown = notes.slice(0, NOTES_SHOWN);
  const end =
    durationSeconds === null
      ? previous.goesOn
      : `${previous.lasted(durationSeconds)}, ${resolvedBy ? previous.resolvedBy(resolvedBy.name) : previous.resolvedByItself}`;
  return (
    <li>
      <Link
        to="/incidents/$incidentId"
        params={{ incidentId: id }}
        className="block rounded-sm px-2 py-1 hover:bg-hover"
      >
        <span className="flex gap-2">
          <SeverityGlyph severity={severity} />
          <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{title}</span>
        </span>
        <span className="block pl-6 text-xs text-text-muted">
          {formatSlotTime(Date.parse(createdAt))} · {end}
        </span>
      </Link>
      {shown.length > 0 && (
        <ul className="mt-0.5 ml-2 space-y-1 border-l border-line pl-4 text-xs">
          {shown.map(({ at, by, note }) => (
            <li key={at}>
              <span className="text-text-muted">{by.name}: </span>
              <span className="line-clamp-3 wrap-anywhere whitespace-pre-line">{note}</span>
            </li>
          ))}
          {noteCount > shown.length && (
            <li className="text-text-muted">{previous.moreNotes(noteCount - shown.length)}</li>
          )}
        </ul>
      )}
    </li>
  );
}
