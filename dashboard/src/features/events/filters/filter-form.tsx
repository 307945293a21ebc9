import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { EventFilterParameters, TopBy } from '../../../lib/api-types.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { frequentQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { ChangeSearch } from './use-event-search.ts';
import { payloadName } from './value-name.ts';

const FIELDS = [
  { name: 'type', label: texts.form.type },
  { name: 'source', label: texts.form.source },
  { name: 'release', label: texts.form.release },
  { name: 'correlation', label: texts.form.correlation },
  { name: 'fingerprint', label: texts.form.fingerprint },
] as const;

interface FilterFormProps {
  search: EventSearch;
  filter: EventFilterParameters;
  onChange: ChangeSearch;
}

/** The filters that are exact values, behind a button: they are mostly set by a click on an event. */
export function FilterForm({ search, filter, onChange }: FilterFormProps) {
  const [open, setOpen] = useState(false);
  const [pathError, setPathError] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    setPathError(undefined);
    frame.current?.querySelector('button')?.focus();
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => {
      const value = data.get(name);
      return (typeof value === 'string' && value.trim()) || undefined;
    };
    const [path, value] = [read('path')?.replace(/^payload\./, ''), read('value')];
    const name = path === undefined ? null : payloadName(path.split('.'), value ?? 'any');
    if (value !== undefined && path === undefined) return setPathError(texts.form.pathMissing);
    if (path !== undefined && name === null) return setPathError(texts.form.pathInvalid);
    onChange({
      ...Object.fromEntries(FIELDS.map((field) => [field.name, read(field.name)])),
      ...(name !== null && value !== undefined && { [name]: value }),
    });
    return close();
  };
  return (
    <div
      ref={frame}
      onBlur={({ relatedTarget, currentTarget }) => {
        // Typed text survives a switch to another window, as to copy an id.
        if (document.hasFocus() && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        close();
      }}
    >
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {texts.form.button}
      </Button>
      {open && (
        <form
          aria-label={texts.form.title}
          tabIndex={-1}
          onSubmit={apply}
          className="absolute outline-none top-full right-4 z-20 max-h-[min(32rem,70dvh)] w-[min(22rem,calc(100%-2rem))] space-y-3 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-lg"
        >
          {FIELDS.map(({ name, label }) => (
            <ValueField
              key={name}
              {...{ name, label, filter }}
              value={search[name]}
              by={name === 'type' || name === 'source' ? name : undefined}
            />
          ))}
          <div className="grid grid-cols-2 gap-2">
            <TextField
              name="path"
              label={texts.form.path}
              hint={texts.form.pathHint}
              error={pathError}
              autoComplete="off"
              spellCheck={false}
              onChange={() => setPathError(undefined)}
            />
            <TextField name="value" label={texts.form.value} autoComplete="off" spellCheck={false} />
          </div>
          <Button type="submit" variant="primary" className="w-full">
            {texts.form.apply}
          </Button>
        </form>
      )}
    </div>
  );
}

interface ValueFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  filter: EventFilterParameters;
  /** Where the most frequent values are worth being suggested. */
  by: TopBy | undefined;
}

function ValueField({ name, label, value, filter, by }: ValueFieldProps) {
  const listId = useId();
  const { data: frequent } = useQuery({ ...frequentQuery(by ?? 'type', filter), enabled: by !== undefined });
  return (
    <>
      <TextField
        name={name}
        label={label}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        list={by && listId}
      />
      {by && (
        <datalist id={listId}>
          {frequent?.map(({ value: option }) => option !== null && <option key={option} value={option} />)}
        </datalist>
      )}
    </>
  );
}
