import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../../../lib/queries.ts';
import { RANGES, useScope } from '../../../lib/scope.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { Empty, Skeleton } from '../../../ui/feedback/states.tsx';
import { filtersOf } from '../filters/filter.ts';
import type { ChangeSearch } from '../filters/use-event-search.ts';
import { anyEventQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/** Explains why the list is empty, and offers what to do about it. */
export function NoEvents({ search, onChange }: { search: EventSearch; onChange: ChangeSearch }) {
  const [scope, setScope] = useScope();
  const filtered = filtersOf(search).length > 0;
  const { data: projects } = useQuery(projectsQuery);
  const { data: hasEvents } = useQuery({ ...anyEventQuery(scope.project), enabled: !filtered });

  if (filtered) {
    return (
      <Empty
        sign="search"
        title={texts.empty.noMatch}
        action={<Button onClick={() => onChange({}, { alone: true })}>{texts.filters.clear}</Button>}
      />
    );
  }
  if (!projects || hasEvents === undefined) return <Skeleton />;
  const projectId = scope.project ?? projects[0]?.id;
  if (!hasEvents || !projectId)
    return (
      <Empty
        sign="clock"
        title={texts.empty.none}
        action={
          projectId ? (
            <Link to="/projects/$projectId/start" params={{ projectId }} className={buttonClass('primary')}>
              {texts.empty.send}
            </Link>
          ) : (
            <Link to="/projects/new" className={buttonClass('primary')}>
              {texts.empty.createProject}
            </Link>
          )
        }
      />
    );
  const longest = scope.range === '30d' && !scope.from;
  return (
    <Empty
      sign="search"
      title={texts.empty.noneInRange}
      action={
        !longest && (
          <Button onClick={() => setScope({ range: '30d', from: undefined, to: undefined })}>
            {RANGES['30d']}
          </Button>
        )
      }
    />
  );
}
