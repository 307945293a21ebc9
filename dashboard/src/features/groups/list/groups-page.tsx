import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Page } from '../../../lib/api.ts';
import type { Group } from '../../../lib/api-types.ts';
import { nameProjects } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { DEFAULT_GROUP_SORT, STATE_CHOICES } from '../../../lib/search/group-search.ts';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { useSteadyRows } from '../../../ui/feedback/use-steady-rows.ts';
import { ABOVE, WaitingButton } from '../../../ui/feedback/waiting-button.tsx';
import { ChoiceLinks } from '../../../ui/layout/choice-links.tsx';
import { useTitle } from '../../../ui/layout/page.tsx';
import { useHeldChange, withHeldChange } from '../change/held-change.ts';
import { countsQuery, groupsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { useGroupNews } from '../use-group-news.ts';
import { FilterChips } from './group-filters.tsx';
import { GroupList } from './group-list.tsx';
import { GroupToolbar } from './group-toolbar.tsx';
import { KeyOffer } from './key-offer.tsx';
import { MatchingEvents } from './matching-events.tsx';
import { NoGroups } from './no-groups.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useGroupSearch } from './use-group-search.ts';
import { useListKeys } from './use-list-keys.ts';
import { useSelection } from './use-selection.ts';

/** The groups of a state, those with the newest events first; the list updates by itself. */
export function GroupsPage() {
  useTitle(texts.title);
  useGroupNews();
  const [search, change] = useGroupSearch();
  const [scope] = useScope();
  const { data: projects = [] } = useQuery(projectsQuery);
  const query = groupsQuery(search, scope);
  const list = useInfiniteQuery(query);
  const { data } = list;
  const groups = useMemo(() => data && distinct(data.pages.flatMap(({ items }) => items)), [data]);
  const element = useRef<HTMLUListElement>(null);
  const [hasChosen, setHasChosen] = useState(false);
  // A placeholder for a list that is not read yet does not count as the list.
  const listName = JSON.stringify([query.queryKey, data?.pages.length, list.isPlaceholderData]);
  const { shown, waiting, adopt, area } = useSteadyRows(groups, listName, hasChosen);
  const selection = useSelection(shown.map(({ id }) => id));
  if (hasChosen !== selection.ids.size > 0) setHasChosen(selection.ids.size > 0);
  const held = useHeldChange();
  const { openMenu, closeMenu } = useListKeys({ list: element, shown, selection });
  const counts = useQueries({
    queries: (data?.pages ?? []).map(({ items }) =>
      countsQuery(items.map(({ id }) => id).toSorted(), 'hour'),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data: read }) => read?.groups ?? []).map((one) => [one.id, one.counts])),
  });
  const scanned = countScanned(data?.pages ?? []);
  const names = scope.project || projects.length === 1 ? new Map<string, string>() : nameProjects(projects);

  return (
    <div className="@container px-4 py-4">
      <GroupToolbar search={search} onChange={change} />
      <FilterChips search={search} onChange={change} />
      <ChoiceLinks
        name={texts.list.states}
        field="state"
        choices={STATE_CHOICES}
        chosen={search.state ?? 'open'}
        labels={texts.list.tabs}
      />
      {groups && <KeyOffer words={search.q ?? ''} listed={shown} />}
      <div {...area} className="relative">
        <WaitingButton waiting={waiting} onShow={adopt} className={ABOVE} />
        {groups ? (
          groups.length === 0 && shown.length === 0 ? (
            scanned === 0 && <NoGroups search={search} onChange={change} />
          ) : (
            <GroupList
              list={element}
              groups={shown.map((group) => withHeldChange(group, held))}
              projects={names}
              counts={counts}
              selection={selection}
              isOutdated={list.isPlaceholderData}
              sort={search.sort ?? DEFAULT_GROUP_SORT}
              onChange={change}
            />
          )
        ) : (
          <QueryState query={list} rows={8} rowClass="h-13" />
        )}
      </div>
      {groups && (
        <LoadMore
          list={list}
          {...(scanned > 0 && {
            note: texts.list.scanned(scanned, groups.length > 0),
            label: texts.list.lookFurther,
          })}
        />
      )}
      {search.q !== undefined && !list.isPlaceholderData && (
        <MatchingEvents words={search.q} groups={shown} />
      )}
      <SelectionBar
        groups={shown.filter(({ id }) => selection.ids.has(id))}
        onClear={selection.clear}
        openMenu={openMenu}
        onCloseMenu={closeMenu}
      />
    </div>
  );
}

/** Returns about how many groups were scanned, if that ended the last page before it was full; 0 if nothing is missing. */
function countScanned(pages: readonly Page<Group>[]): number {
  if (pages.at(-1)?.scannedGroups === undefined) return 0;
  return pages.reduce((sum, { scannedGroups }) => sum + (scannedGroups ?? 0), 0);
}

/** Removes duplicates: a group that moved up while pages were read is on two of them. */
function distinct(groups: Group[]): Group[] {
  return [...new Map(groups.map((group) => [group.id, group])).values()];
}
