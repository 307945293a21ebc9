import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Incident } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { nameProjects } from '../../lib/project-name.ts';
import { incidentCountsQuery, projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { describeLead } from '../../ui/display/incident-numbers.ts';
import { IncidentStatus } from '../../ui/display/incident-status.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { useSteadyRows } from '../../ui/feedback/use-steady-rows.ts';
import { WaitingButton } from '../../ui/feedback/waiting-button.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { NotifyButton } from './notify-button.tsx';
import { unresolvedIncidentsQuery } from './queries.ts';
import { texts } from './texts.ts';
import { INCIDENTS_SHOWN } from './worst-first.ts';

const words = texts.openIncidents;

/** Unresolved incidents of any age. */
export function OpenIncidents() {
  const [{ project }] = useScope();
  const { data: incidents, error, refetch } = useQuery(unresolvedIncidentsQuery(project));
  const { data: counts } = useQuery(incidentCountsQuery(project));
  const { data: projects = [] } = useQuery(projectsQuery);
  // The name of a single project says nothing new.
  const names = project || projects.length === 1 ? new Map<string, string>() : nameProjects(projects);
  const unresolved = counts ? counts.open + counts.investigating : 0;
  const { shown, waiting, adopt, area } = useSteadyRows(incidents, project ?? '');
  const hidden = incidents ? unresolved - incidents.length : 0;
  return (
    <div {...area}>
      <Section
        title={words.openIncidents}
        actions={
          <>
            <WaitingButton waiting={waiting} onShow={adopt} />
            <NotifyButton />
            <Link to="/incidents" className="text-sm leading-6 text-accent hover:underline">
              {words.allIncidents}
            </Link>
          </>
        }
      >
        {incidents ? (
          incidents.length === 0 ? (
            <p className="flex h-[38px] items-center border-y border-line px-3 text-text-muted">
              <span aria-hidden="true" className="mr-2 text-good">
                ✓
              </span>
              {words.noOpenIncidents}
            </p>
          ) : (
            <ul className="divide-y divide-line border-y border-line">
              {shown.map((incident) => (
                <IncidentRow
                  key={incident.id}
                  incident={incident}
                  projectName={names.get(incident.projectId)}
                />
              ))}
              {hidden > 0 && (
                <li>
                  <Link to="/incidents" className="flex h-9 items-center px-3 text-accent hover:bg-hover">
                    {words.more(formatCount(hidden))}
                  </Link>
                </li>
              )}
            </ul>
          )
        ) : (
          // As high as the coming list, as far as its length is known.
          <QueryState
            query={{ error, refetch }}
            rows={Math.min(Math.max(1, unresolved), INCIDENTS_SHOWN)}
            rowClass="h-[55px]"
          />
        )}
      </Section>
    </div>
  );
}

function IncidentRow({ incident, projectName }: { incident: Incident; projectName: string | undefined }) {
  const { id, severity, title, createdAt } = incident;
  const about = describeLead(incident);
  return (
    <li>
      <Link
        to="/incidents/$incidentId"
        params={{ incidentId: id }}
        className="flex min-h-9 items-center gap-3 px-3 py-1.5 hover:bg-hover"
      >
        <SeverityGlyph severity={severity} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 wrap-anywhere lg:line-clamp-1 lg:break-all">{title}</span>
          {about && (
            <span className="line-clamp-2 text-sm wrap-anywhere text-text-muted lg:line-clamp-1 lg:break-all">
              {about}
            </span>
          )}
        </span>
        {projectName && (
          <span className="hidden max-w-40 flex-none truncate text-sm text-text-muted lg:inline">
            {projectName}
          </span>
        )}
        <span className="flex flex-none flex-col items-end sm:flex-row sm:items-center sm:gap-3">
          <span className="max-w-32 sm:w-28 lg:w-40 lg:max-w-40">
            <IncidentStatus incident={incident} />
          </span>
          <RelativeTime at={createdAt} className="text-sm text-text-muted sm:w-20 sm:text-right" />
        </span>
      </Link>
    </li>
  );
}
