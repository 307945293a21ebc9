import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import type { GroupSearch } from '../../../lib/search/group-search.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { Empty, Skeleton } from '../../../ui/feedback/states.tsx';
import { anyGroupQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { type ChangeGroupSearch, isFiltered, NO_FILTERS } from './use-group-search.ts';

/** Explains why the list is empty, and offers what to do about it. */
export function NoGroups({ search, onChange }: { search: GroupSearch; onChange: ChangeGroupSearch }) {
  const [{ project }] = useScope();
  const { data: projects } = useQuery(projectsQuery);
  const { data: exists } = useQuery(anyGroupQuery(project));
  const { state = 'open', severity } = search;
  if (!projects || exists === undefined) return <Skeleton />;
  if (!exists) {
    const isWithoutProject = projects.length === 0;
    return (
      <Empty
        sign="clock"
        title={texts.empty.noneYet}
        action={
          <Link to={isWithoutProject ? '/projects/new' : '/projects'} className={buttonClass('primary')}>
            {isWithoutProject ? texts.empty.createProject : texts.empty.sendEvent}
          </Link>
        }
      >
        {texts.empty.howToGet}
      </Empty>
    );
  }
  if (isFiltered(search) && severity !== 'all')
    return (
      <Empty
        sign="search"
        title={texts.empty.filtered}
        action={<Button onClick={() => onChange(NO_FILTERS)}>{texts.list.clearFilters}</Button>}
      />
    );
  const { title, text } = texts.empty.states[state];
  return (
    <Empty
      sign="calm"
      title={title}
      action={
        severity !== 'all' && (
          <Button onClick={() => onChange({ severity: 'all' })}>{texts.empty.showAll}</Button>
        )
      }
    >
      {text}
    </Empty>
  );
}
