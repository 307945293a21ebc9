import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Incident } from '../../../lib/api-types.ts';
import { formatCompact } from '../../../lib/format.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { IncidentStatus } from '../../../ui/display/incident-status.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { countEvents } from '../evidence/evidence-words.ts';
import { headlineOf } from '../headline.ts';

interface IncidentListProps {
  incidents: Incident[];
  /** Names by id. */
  projects: ReadonlyMap<string, string>;
  /** Where all have the same status its glyph is enough. */
  withStatus: boolean;
}

/** A row an incident; j and k move the focus, so Enter opens the chosen one. */
export function IncidentList({ incidents, projects, withStatus }: IncidentListProps) {
  const list = useRef<HTMLUListElement>(null);
  const move = (step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLAnchorElement>(':scope > li > a') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    const target = at === -1 ? rows[0] : rows[at + step];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', says: 'Next incident', run: () => move(1) },
    { keys: 'k', says: 'Previous incident', run: () => move(-1) },
  ]);
  return (
    <ul ref={list} aria-label="Incidents" className="divide-y divide-line border-b border-line">
      {incidents.map((incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          project={projects.get(incident.projectId) ?? ''}
          withStatus={withStatus}
        />
      ))}
    </ul>
  );
}

function IncidentRow({
  incident,
  project,
  withStatus,
}: {
  incident: Incident;
  project: string;
  withStatus: boolean;
}) {
  const { id, severity, status, origin, createdAt, updatedAt } = incident;
  const { sentence, chosenTitle } = headlineOf(incident);
  return (
    <li className="scroll-mt-16">
      <Link
        to="/incidents/$incidentId"
        params={{ incidentId: id }}
        className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1.5 hover:bg-hover focus-visible:-outline-offset-2 sm:flex-nowrap"
      >
        <SeverityGlyph severity={severity} />
        <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere sm:line-clamp-1">
          {chosenTitle && <strong className="mr-2 font-semibold">{chosenTitle}</strong>}
          <span className={chosenTitle ? 'text-text-muted' : ''}>
            <Sentence text={sentence} />
          </span>
        </span>
        <span className="flex w-full flex-wrap items-center gap-x-3 pl-6 text-sm text-text-muted sm:w-auto sm:flex-none sm:pl-0">
          <span className="max-w-32 truncate sm:w-24">{project}</span>
          <span className={withStatus || status === 'investigating' ? 'max-w-40 sm:w-28' : ''}>
            <IncidentStatus incident={incident} withWord={withStatus} />
          </span>
          <span className="sm:w-20 sm:text-right">
            {origin === 'manual' ? 'manual' : countEvents(incident, formatCompact)}
          </span>
          <span className="sm:w-20 sm:text-right">
            <span className="sm:sr-only">opened </span>
            <RelativeTime at={createdAt} />
          </span>
          <span className="hidden xl:inline xl:w-32 xl:text-right">
            {updatedAt !== createdAt && (
              <>
                updated <RelativeTime at={updatedAt} />
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
