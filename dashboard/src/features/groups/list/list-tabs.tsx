import { Link } from '@tanstack/react-router';
import {
  DEFAULT_GROUP_SORT,
  GROUP_SORTS,
  type GroupSearch,
  type GroupStateChoice,
} from '../../../lib/search/group-search.ts';
import { SelectField } from '../../../ui/forms/field.tsx';
import { texts } from '../texts.ts';
import type { ChangeGroupSearch } from './use-group-search.ts';

interface TabsProps {
  search: GroupSearch;
  onChange: ChangeGroupSearch;
}

/** The state of the listed groups, and their order on screens without column headers. */
export function ListTabs({ search, onChange }: TabsProps) {
  return (
    <div className="flex items-end gap-2 border-b border-line">
      <StateLinks chosen={search.state ?? 'open'} />
      <SelectField
        label={texts.list.sort}
        labelHidden
        className="mb-1 w-32 flex-none @4xl:hidden"
        value={search.sort ?? DEFAULT_GROUP_SORT}
        onChange={(sort) => onChange({ sort: sort === DEFAULT_GROUP_SORT ? undefined : sort })}
        options={GROUP_SORTS.map((value) => ({ value, label: texts.list.sorts[value] }))}
      />
    </div>
  );
}

const CHOICES = ['open', 'resolved', 'muted', 'all'] as const satisfies GroupStateChoice[];

/** Links that choose the state of the listed groups; the other filters stay. */
function StateLinks({ chosen }: { chosen: GroupStateChoice }) {
  return (
    <div role="group" aria-label={texts.list.states} className="flex min-w-0 flex-1 gap-1 overflow-x-auto">
      {CHOICES.map((state) => {
        const isChosen = state === chosen;
        return (
          <Link
            key={state}
            to="/groups"
            from="/groups"
            search={(previous) => ({ ...previous, state: state === 'open' ? undefined : state })}
            activeProps={{ 'aria-current': isChosen ? 'page' : undefined }}
            className={`-mb-px flex min-h-9 items-center border-b-2 px-2 text-sm whitespace-nowrap sm:px-3 ${isChosen ? 'border-accent font-semibold' : 'border-transparent text-text-muted hover:text-text'}`}
          >
            {texts.list.tabs[state]}
          </Link>
        );
      })}
    </div>
  );
}
