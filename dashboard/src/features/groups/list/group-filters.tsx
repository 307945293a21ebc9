import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useScope } from '../../../lib/scope.ts';
import type { GroupSearch } from '../../../lib/search/group-search.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { PopoverForm } from '../../../ui/forms/popover-form.tsx';
import { frequentQuery, newestReleasesQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { ChangeGroupSearch } from './use-group-search.ts';

const FIELDS = ['release', 'environment', 'source', 'type'] as const;

interface FilterProps {
  search: GroupSearch;
  onChange: ChangeGroupSearch;
}

/** The filters by exact values, behind a button. */
export function GroupFilters({ search, onChange }: FilterProps) {
  return (
    <PopoverForm
      button={texts.list.filters}
      title={texts.list.filters}
      submit={texts.list.apply}
      className="right-0 w-[min(20rem,100%)]"
      onSubmit={(read) => {
        onChange(Object.fromEntries(FIELDS.map((name) => [name, read(name)])));
        return true;
      }}
    >
      {FIELDS.map((name) => (
        <ValueField key={name} name={name} value={search[name]} />
      ))}
    </PopoverForm>
  );
}

function ValueField({ name, value }: { name: (typeof FIELDS)[number]; value: string | undefined }) {
  const listId = useId();
  const [{ project }] = useScope();
  const isRelease = name === 'release';
  const { data: releases = [] } = useQuery({ ...newestReleasesQuery(project), enabled: isRelease });
  const isFrequent = name === 'source' || name === 'type';
  const { data: values = [] } = useQuery({
    ...frequentQuery(isFrequent ? name : 'source', project),
    enabled: isFrequent,
  });
  return (
    <>
      <TextField
        name={name}
        label={texts.list[name]}
        defaultValue={value}
        autoComplete="off"
        spellCheck="false"
        list={listId}
      />
      <datalist id={listId}>
        {(isRelease ? releases : values).map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

/** The active filters by exact values, each with a button that removes it. */
export function FilterChips({ search, onChange }: FilterProps) {
  const filters = FIELDS.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (filters.length === 0) return null;
  return (
    <ul aria-label={texts.list.activeFilters} className="mb-2 flex min-w-0 flex-wrap gap-1.5">
      {filters.map(({ name, value }) => {
        const label = texts.list[name].toLowerCase();
        return (
          <li key={name} className="min-w-0">
            <button
              type="button"
              aria-label={texts.list.removeFilter(`${label}: ${value}`)}
              onClick={() => onChange({ [name]: undefined })}
              className="flex min-h-7 max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-accent-soft px-2 text-xs hover:bg-hover pointer-coarse:min-h-10"
            >
              <span className="max-w-64 truncate" title={value}>
                <span className="text-text-muted">{label}: </span>
                {value}
              </span>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
