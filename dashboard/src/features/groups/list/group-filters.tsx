import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useScope } from '../../../lib/scope.ts';
import type { GroupSearch } from '../../../lib/search/group-search.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { frequentQuery, newestReleasesQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { ChangeGroupSearch } from './use-group-search.ts';

const FIELDS = ['release', 'source', 'type'] as const;

interface FilterProps {
  search: GroupSearch;
  onChange: ChangeGroupSearch;
}

/** The filters that are exact values, behind a button. */
export function GroupFilters({ search, onChange }: FilterProps) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    frame.current?.querySelector('button')?.focus();
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => {
      const value = data.get(name);
      return (typeof value === 'string' && value.trim()) || undefined;
    };
    onChange(Object.fromEntries(FIELDS.map((name) => [name, read(name)])));
    close();
  };
  return (
    <div
      ref={frame}
      onBlur={({ relatedTarget, currentTarget }) => {
        // Typed text survives a switch to another window, as to copy a release.
        if (document.hasFocus() && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        close();
      }}
    >
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {texts.list.filters}
      </Button>
      {open && (
        <form
          aria-label={texts.list.filters}
          tabIndex={-1}
          onSubmit={apply}
          className="absolute top-full right-0 z-20 w-[min(20rem,100%)] space-y-3 rounded-lg border border-line bg-raised p-3 shadow-lg outline-none"
        >
          {FIELDS.map((name) => (
            <ValueField key={name} name={name} value={search[name]} />
          ))}
          <Button type="submit" variant="primary" className="w-full">
            {texts.list.apply}
          </Button>
        </form>
      )}
    </div>
  );
}

function ValueField({ name, value }: { name: (typeof FIELDS)[number]; value: string | undefined }) {
  const listId = useId();
  const [{ project }] = useScope();
  const isRelease = name === 'release';
  const { data: releases = [] } = useQuery({ ...newestReleasesQuery(project), enabled: isRelease });
  const { data: values = [] } = useQuery({
    ...frequentQuery(isRelease ? 'source' : name, project),
    enabled: !isRelease,
  });
  return (
    <>
      <TextField
        name={name}
        label={texts.list[name]}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
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

/** The exact values that filter now, each with a way to remove it. */
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
