import type { RefObject } from 'react';
import type { Group, GroupSort } from '../../../lib/api-types.ts';
import { DEFAULT_GROUP_SORT } from '../../../lib/search/group-search.ts';
import { texts } from '../texts.ts';
import { COLUMNS, FROM_MEDIUM, FROM_WIDE, GroupRow } from './group-row.tsx';
import type { ChangeGroupSearch } from './use-group-search.ts';
import type { Selection } from './use-selection.ts';

interface GroupListProps {
  list: RefObject<HTMLUListElement | null>;
  groups: Group[];
  /** Names by id; empty if all groups are of one project. */
  projects: ReadonlyMap<string, string>;
  counts: ReadonlyMap<string, number[]>;
  selection: Selection;
  /** True while the rows are those of the previous filters. */
  isOutdated: boolean;
  sort: GroupSort;
  onChange: ChangeGroupSearch;
}

/** The rows of groups, under column headers that sort. */
export function GroupList(props: GroupListProps) {
  const { list, groups, projects, counts, selection, isOutdated, sort, onChange } = props;
  return (
    <div className={isOutdated ? 'opacity-60' : ''}>
      <div className={`${COLUMNS} hidden! border-b border-line py-0.5 text-xs text-text-muted @4xl:grid!`}>
        <span className="col-span-2" />
        <span>{texts.list.group}</span>
        <span className={FROM_WIDE}>{texts.list.releases}</span>
        <span className={FROM_MEDIUM}>{texts.list.last24Hours}</span>
        <span className={`${FROM_MEDIUM} text-right`}>
          <SortHead column="count" {...{ sort, onChange }} />
        </span>
        <span className={`${FROM_MEDIUM} text-right`}>
          <SortHead column="users" {...{ sort, onChange }} />
        </span>
        <span className={`${FROM_MEDIUM} text-right whitespace-nowrap`}>
          <SortHead column="last_seen" {...{ sort, onChange }} />
          {' / '}
          <SortHead column="first_seen" {...{ sort, onChange }} />
        </span>
      </div>
      <ul ref={list} aria-label={texts.list.name} className="divide-y divide-line border-b border-line">
        {groups.map((group) => (
          <GroupRow
            key={group.id}
            group={group}
            project={projects.get(group.projectId) ?? null}
            counts={counts.get(group.id)}
            isSelected={selection.ids.has(group.id)}
            onSelect={(isRange) => selection.toggle(group.id, isRange)}
          />
        ))}
      </ul>
    </div>
  );
}

interface SortHeadProps {
  column: GroupSort;
  sort: GroupSort;
  onChange: ChangeGroupSearch;
}

function SortHead({ column, sort, onChange }: SortHeadProps) {
  const isChosen = column === sort;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={texts.list.sortBy(texts.list.sorts[column])}
      onClick={() => onChange({ sort: column === DEFAULT_GROUP_SORT ? undefined : column })}
      className={`min-h-6 min-w-6 rounded hover:text-text pointer-coarse:min-h-10 ${isChosen ? 'font-semibold text-text' : ''}`}
    >
      {texts.list.sorts[column]}
      <span aria-hidden="true">{isChosen && ' ↓'}</span>
    </button>
  );
}
