import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { nameProjects } from '../../../lib/project-name.ts';
import { incidentCountsQuery, projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import {
  type IncidentSearch,
  readIncidentSearch,
  STATUS_CHOICES,
  type StatusChoice,
} from '../../../lib/search/incident-search.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/display/icons.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { Empty, QueryState } from '../../../ui/feedback/states.tsx';
import { ChoiceLinks } from '../../../ui/layout/choice-links.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { incidentsQuery } from '../queries.ts';
import { CreateIncident } from './create-incident.tsx';
import { IncidentList } from './incident-list.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { texts } from './texts.ts';

/** The incidents of a status; the list updates by itself. */
export function IncidentsPage() {
  const {
    status = 'open',
    create = false,
    q = '',
    sort = 'newest',
  } = readIncidentSearch(useSearch({ strict: false }));
  const [{ project }] = useScope();
  const navigate = useNavigate({ from: '/incidents' });
  const { data: counts } = useQuery(incidentCountsQuery(project));
  const { data: projects = [], isPending } = useQuery(projectsQuery);
  const query = incidentsQuery({
    status: status === 'all' ? undefined : status,
    project_id: project,
    q: q || undefined,
    sort,
  });
  const list = useInfiniteQuery(query);
  const showCreate = (shown: boolean) =>
    void navigate({
      search: (previous) => ({ ...previous, create: shown ? true : undefined }),
      replace: !shown,
    });
  const search = (changes: Partial<IncidentSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...changes }), replace: true, resetScroll: false });
  useShortcuts([{ keys: 'c', label: texts.keys.create, run: () => showCreate(true) }]);
  const incidents = list.data?.pages.flatMap(({ items }) => items);
  const createButton = (
    <Button aria-keyshortcuts="c" onClick={() => showCreate(true)}>
      <Icon name="plus" />
      {texts.create}
    </Button>
  );

  return (
    <Page title={texts.title} actions={createButton} wide>
      <ChoiceLinks
        name={texts.status.name}
        field="status"
        choices={STATUS_CHOICES}
        chosen={status}
        labels={texts.status}
        counts={counts ? { ...counts, all: counts.open + counts.investigating + counts.resolved } : {}}
      />
      <ListToolbar
        {...{ project, sort }}
        text={q}
        onText={(text) => search({ q: text || undefined })}
        onSort={(chosen) => search({ sort: chosen === 'severity' ? chosen : undefined })}
      />
      {incidents ? (
        incidents.length === 0 ? (
          <NoIncidents status={status} isFiltered={q !== ''} />
        ) : (
          <IncidentList
            incidents={incidents}
            name={JSON.stringify([query.queryKey, list.data?.pages.length, list.isPlaceholderData])}
            withStatus={status === 'all'}
            projects={nameProjects(projects)}
          />
        )
      ) : (
        <QueryState query={list} rows={6} />
      )}
      <LoadMore list={list} />
      {create && !isPending && <CreateIncident projects={projects} onClose={() => showCreate(false)} />}
    </Page>
  );
}

function NoIncidents({ status, isFiltered }: { status: StatusChoice; isFiltered: boolean }) {
  const { title, text } = texts.none[isFiltered ? 'matching' : status];
  return (
    <Empty sign={isFiltered ? 'search' : 'calm'} title={title}>
      {text}
    </Empty>
  );
}
