import { Link } from '@tanstack/react-router';
import type { Incident, Status } from '../../../lib/api-types.ts';
import { formatCompact } from '../../../lib/format.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { describeLead } from '../../../ui/display/incident-numbers.ts';
import { IncidentStatus } from '../../../ui/display/incident-status.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { countEvents } from '../evidence/evidence-words.ts';
import { texts } from './texts.ts';

interface IncidentRowProps {
  incident: Incident;
  project: string;
  /** True to show the status as a word; its glyph is enough if all have the same. */
  withStatus: boolean;
  /** Status that the incident changes to in some seconds, unless that is undone. */
  heldTo: Status | undefined;
  isSelected: boolean;
  /** Undefined if the incident cannot be selected. */
  onSelect: (() => void) | undefined;
}

/** An incident: its title above what tells it from similar ones, and the rest beside them, or under 900 px below. */
export function IncidentRow(props: IncidentRowProps) {
  const { incident, project, withStatus, heldTo, isSelected, onSelect } = props;
  const { id, title, severity, status, origin, createdAt, updatedAt } = incident;
  const about = describeLead(incident);
  const shown = heldTo ? { ...incident, status: heldTo, investigatorId: null } : incident;
  return (
    <li
      className={`flex scroll-mt-16 scroll-mb-28 items-center hover:bg-hover ${isSelected ? 'bg-accent-soft' : ''} ${heldTo ? 'opacity-70' : ''}`}
    >
      {onSelect === undefined && withStatus && <span className="-mr-1.5 size-9 flex-none" />}
      {onSelect && (
        <label className="-mr-2 flex size-10 flex-none cursor-pointer items-center justify-center self-start min-[900px]:-mr-1.5 min-[900px]:size-9">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={onSelect}
            aria-label={texts.row.select(title)}
            aria-keyshortcuts="x"
            className="size-4 accent-accent"
          />
        </label>
      )}
      <Link
        to="/incidents/$incidentId"
        params={{ incidentId: id }}
        data-incident={id}
        className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-3 px-3 py-1.5 focus-visible:-outline-offset-2 min-[900px]:flex-nowrap"
      >
        <SeverityGlyph severity={severity} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 wrap-anywhere min-[900px]:line-clamp-1 min-[900px]:break-all">
            {title}
          </span>
          {about && (
            <span className="line-clamp-2 text-sm wrap-anywhere text-text-muted sm:line-clamp-1 sm:break-all">
              {about}
            </span>
          )}
        </span>
        <span className="flex w-full flex-none items-center gap-x-3 pl-6 text-sm whitespace-nowrap text-text-muted min-[900px]:w-auto min-[900px]:pl-0">
          <span title={project} className="max-w-40 min-w-0 truncate min-[900px]:w-32">
            {project}
          </span>
          <span
            className={withStatus || status === 'investigating' || heldTo ? 'max-w-40 min-[900px]:w-28' : ''}
          >
            <IncidentStatus incident={shown} withWord={withStatus || heldTo !== undefined} />
          </span>
          <span className="min-[900px]:w-20 min-[900px]:text-right">
            {origin === 'risk' ? countEvents(incident, formatCompact) : texts.row[origin]}
          </span>
          <span className="min-[900px]:w-20 min-[900px]:text-right">
            <span className="sr-only">{texts.row.opened} </span>
            <RelativeTime at={createdAt} />
          </span>
          <span className="hidden min-[1440px]:inline min-[1440px]:w-36 min-[1440px]:text-right">
            {updatedAt !== createdAt && (
              <>
                {texts.row.updated} <RelativeTime at={updatedAt} />
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
