import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Group } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { IncidentStatus } from '../../../ui/display/incident-status.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { groupIncidentsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const SHOWN = 5;

/** The incidents with events of the group; resolving the group does not resolve them. */
export function GroupIncidents({ group }: { group: Group }) {
  const { data, error, refetch } = useQuery(groupIncidentsQuery(group.id));
  return (
    <Section title={texts.page.incidents}>
      {data ? (
        data.length === 0 ? (
          <p className="px-2 text-sm text-text-muted">{texts.page.noIncidents}</p>
        ) : (
          <>
            <ul aria-label={texts.page.incidents} className="text-sm">
              {data.slice(0, SHOWN).map(({ incident, count }) => (
                <li key={incident.id}>
                  <Link
                    to="/incidents/$incidentId"
                    params={{ incidentId: incident.id }}
                    className="block px-2 py-1 hover:bg-hover"
                  >
                    <span className="flex items-center gap-2">
                      <SeverityGlyph severity={incident.severity} />
                      <span className="min-w-0 flex-1 truncate">{incident.title}</span>
                      <RelativeTime at={incident.createdAt} className="text-xs text-text-muted" />
                    </span>
                    <span className="flex items-center gap-2 pl-5 text-xs text-text-muted">
                      <IncidentStatus incident={incident} />
                      {texts.counts.events(formatCount(count))}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {data.some(({ incident }) => incident.status !== 'resolved') && (
              <p className="mt-1 px-2 text-xs text-text-muted">{texts.page.incidentsApart}</p>
            )}
          </>
        )
      ) : (
        <QueryState query={{ error, refetch }} rows={2} rowClass="h-8" />
      )}
    </Section>
  );
}
