import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventSearch } from '../../lib/event-search.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { RANGES, useScope } from '../../lib/scope.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Empty, Skeleton } from '../../ui/feedback/states.tsx';
import { activeFilters, type ChangeSearch, NO_FILTERS } from './filters/use-event-search.ts';
import { anyEventQuery } from './queries.ts';

/** Why the list is empty, and what to do about it. */
export function NoEvents({ search, onChange }: { search: EventSearch; onChange: ChangeSearch }) {
  const [scope, setScope] = useScope();
  const filtered = activeFilters(search).length > 0;
  const { data: projects } = useQuery(projectsQuery);
  const { data: any } = useQuery({ ...anyEventQuery, enabled: !filtered });

  if (filtered) {
    return (
      <Empty
        title="Nothing matches"
        action={<Button onClick={() => onChange(NO_FILTERS)}>Clear filters</Button>}
      >
        No event of this time fits all filters.
      </Empty>
    );
  }
  if (!projects || any === undefined) return <Skeleton />;
  if (projects.length === 0) {
    return (
      <Empty title="No events yet" action={<ToProjects to="/projects/new">Create project</ToProjects>}>
        Events belong to a project. Create one, and its key lets your application send them.
      </Empty>
    );
  }
  if (!any) {
    return (
      <Empty title="No events yet" action={<ToProjects to="/projects">How to send one</ToProjects>}>
        As soon as an application sends an event with a project’s key, it is here. The project’s page has
        snippets to paste.
      </Empty>
    );
  }
  const longest = scope.range === '30d' && !scope.from;
  return (
    <Empty
      title="No events in this time"
      action={
        !longest && (
          <Button onClick={() => setScope({ range: '30d', from: undefined, to: undefined })}>
            {RANGES['30d']}
          </Button>
        )
      }
    >
      {scope.project ? 'The project had none, or' : 'There were none, or'} they are older than what is shown.
    </Empty>
  );
}

function ToProjects({ to, children }: { to: '/projects' | '/projects/new'; children: string }) {
  return (
    <Link to={to} className={buttonClass('primary')}>
      {children}
    </Link>
  );
}
