import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MAX_SEARCH_LENGTH } from '../../../../../server/src/groups/limits.ts';
import { projectOfKey } from '../../../../../server/src/tenancy/projects/group-key.ts';
import { membersQuery, projectsQuery } from '../../../lib/queries.ts';
import {
  DEFAULT_GROUP_SORT,
  DEFAULT_MIN_SEVERITY,
  GROUP_SORTS,
  type GroupMark,
  type GroupSearch,
  MIN_SEVERITIES,
} from '../../../lib/search/group-search.ts';
import { readTypedFilters } from '../../../lib/search/typed-filters.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { GroupsHeading } from '../../../ui/layout/groups-heading.tsx';
import { texts } from '../texts.ts';
import { GroupFilters } from './group-filters.tsx';
import type { ChangeGroupSearch } from './use-group-search.ts';

const MARKS = ['new', 'regressed'] as const satisfies GroupMark[];

interface ToolbarProps {
  search: GroupSearch;
  onChange: ChangeGroupSearch;
}

/** The filters of the list. */
export function GroupToolbar({ search, onChange }: ToolbarProps) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  return (
    <div className="relative mb-2 flex flex-wrap items-center gap-2">
      <GroupsHeading page="groups" />
      {/* Searches title and culprit, or the key of a group. */}
      <SearchField
        label={texts.list.search}
        placeholder={texts.list.searchHint}
        shortcut={texts.keys.search}
        maxLength={MAX_SEARCH_LENGTH}
        className="min-w-40 flex-1"
        keys={{
          Enter: (field) => {
            const typed = field.value.trim();
            if (!projectOfKey(projects, typed)) return field.blur();
            void navigate({ to: '/groups/$groupId', params: { groupId: typed.toUpperCase() } });
          },
        }}
        value={search.q ?? ''}
        onChange={(text, isDone) => {
          const { words, filters } = readTypedFilters(text);
          onChange({ q: words || undefined, ...(isDone && filters) }, { replace: true });
        }}
      />
      <SelectField
        label={texts.list.severity}
        labelHidden
        className="w-40"
        value={search.severity ?? DEFAULT_MIN_SEVERITY}
        onChange={(severity) =>
          onChange({ severity: severity === DEFAULT_MIN_SEVERITY ? undefined : severity })
        }
        options={MIN_SEVERITIES.map((value) => ({ value, label: texts.list.severities[value] }))}
      />
      <AssigneeField search={search} onChange={onChange} />
      {/* Wide lists are sorted by their column headers. */}
      <SelectField
        label={texts.list.sort}
        labelHidden
        className="min-w-26 flex-1 sm:w-32 sm:flex-none @4xl:hidden"
        value={search.sort ?? DEFAULT_GROUP_SORT}
        onChange={(sort) => onChange({ sort: sort === DEFAULT_GROUP_SORT ? undefined : sort })}
        options={GROUP_SORTS.map((value) => ({ value, label: texts.list.sorts[value] }))}
      />
      <div className="flex gap-1">
        {MARKS.map((mark) => (
          <Button
            key={mark}
            aria-pressed={search.is === mark}
            title={texts.list.markHints[mark]}
            className={`max-sm:px-2! ${search.is === mark ? 'border-accent! bg-accent-soft!' : ''}`}
            onClick={() => onChange({ is: search.is === mark ? undefined : mark })}
          >
            {texts.list.marks[mark]}
          </Button>
        ))}
      </div>
      <GroupFilters search={search} onChange={onChange} />
    </div>
  );
}

function AssigneeField({ search, onChange }: ToolbarProps) {
  const { data: members = [] } = useQuery({ ...membersQuery, staleTime: 60_000 });
  const { assignee = '' } = search;
  const options = [
    { value: '', label: texts.list.anyone },
    { value: 'me', label: texts.list.me },
    { value: 'none', label: texts.list.unassigned },
    ...members.map(({ user }) => ({ value: user.id, label: user.name })),
  ];
  if (!options.some(({ value }) => value === assignee))
    options.push({ value: assignee, label: texts.list.unknownMember });
  return (
    <SelectField
      label={texts.list.assignee}
      labelHidden
      className="w-36"
      value={assignee}
      onChange={(value) => onChange({ assignee: value || undefined })}
      options={options}
    />
  );
}
