import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readIncidentSearch, type StatusChoice } from '../../../lib/incident-search.ts';
import { nameProjects } from '../../../lib/project-name.ts';
import { incidentCountsQuery, projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { Empty, Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { CreateIncident } from '../change/create-incident.tsx';
import { incidentsQuery } from '../queries.ts';
import { IncidentList } from './incident-list.tsx';
import { StatusLinks } from './status-links.tsx';

/** The incidents of a status, newest first; they come and go by themselves. */
export function IncidentsPage() {
  const { status = 'open', create = false } = readIncidentSearch(useSearch({ strict: false }));
  const [{ project }] = useScope();
  const navigate = useNavigate({ from: '/incidents' });
  const { data: counts } = useQuery(incidentCountsQuery(project));
  const { data: projects = [] } = useQuery(projectsQuery);
  const list = useInfiniteQuery(incidentsQuery(status === 'all' ? undefined : status, project));
  const showCreate = (shown: boolean) =>
    void navigate({
      search: (previous) => ({ ...previous, create: shown ? true : undefined }),
      replace: !shown,
    });
  useShortcuts([{ keys: 'c', says: 'Create an incident', run: () => showCreate(true) }]);
  const incidents = list.data?.pages.flatMap(({ items }) => items);
  const createButton = <Button onClick={() => showCreate(true)}>Create incident</Button>;

  return (
    <Page title="Incidents" actions={createButton} wide>
      <StatusLinks chosen={status} counts={counts} />
      {incidents ? (
        incidents.length === 0 ? (
          <NoIncidents status={status} />
        ) : (
          <IncidentList
            incidents={incidents}
            withStatus={status === 'all'}
            projects={nameProjects(projects)}
          />
        )
      ) : list.error ? (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
      <LoadMore list={list} />
      {create && <CreateIncident projects={projects} onClose={() => showCreate(false)} />}
    </Page>
  );
}

const OPENS_BY_ITSELF =
  'Incidents open automatically when a project’s events rise or drop sharply, or when one of your rules matches.';

const NOTHING: Record<StatusChoice, { title: string; text: string | null }> = {
  open: {
    title: 'No open incidents',
    text: OPENS_BY_ITSELF,
  },
  investigating: {
    title: 'Nothing under investigation',
    text: 'Incidents appear here once someone takes them.',
  },
  resolved: { title: 'No resolved incidents yet', text: null },
  all: {
    title: 'No incidents yet',
    text: OPENS_BY_ITSELF,
  },
};

function NoIncidents({ status }: { status: StatusChoice }) {
  return <Empty title={NOTHING[status].title}>{NOTHING[status].text}</Empty>;
}
