import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EventFilterParameters, TopBy } from '../../../lib/api-types.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { PopoverForm, type ReadField } from '../../../ui/forms/popover-form.tsx';
import { frequentQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { ChangeSearch } from './use-event-search.ts';
import { payloadName } from './value-name.ts';

const FIELDS = ['type', 'source', 'release', 'environment', 'correlation', 'fingerprint'] as const;

interface FilterFormProps {
  search: EventSearch;
  filter: EventFilterParameters;
  onChange: ChangeSearch;
}

/** The filters by exact values, behind a button: they are mostly set by a click on an event. */
export function FilterForm({ search, filter, onChange }: FilterFormProps) {
  const [pathError, setPathError] = useState<string>();
  const apply = (read: ReadField) => {
    const [path, value] = [read('path')?.replace(/^payload\./, ''), read('value')];
    const name = path === undefined ? null : payloadName(path.split('.'), value ?? 'any');
    const isMissing = value !== undefined && path === undefined;
    if (isMissing || (path !== undefined && name === null)) {
      setPathError(isMissing ? texts.form.pathMissing : texts.form.pathInvalid);
      return false;
    }
    onChange({
      ...Object.fromEntries(FIELDS.map((name) => [name, read(name)])),
      ...(name !== null && value !== undefined && { [name]: value }),
    });
    return true;
  };
  return (
    <PopoverForm
      button={texts.form.button}
      title={texts.form.button}
      submit={texts.form.apply}
      className="right-4 max-h-[min(32rem,70dvh)] w-[min(22rem,calc(100%-2rem))] overflow-y-auto"
      onSubmit={apply}
      onClose={() => setPathError(undefined)}
    >
      {FIELDS.map((name) => (
        <ValueField
          key={name}
          {...{ name, filter }}
          label={texts.form[name]}
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
          spellCheck="false"
          onChange={() => setPathError(undefined)}
        />
        <TextField name="value" label={texts.form.value} autoComplete="off" spellCheck="false" />
      </div>
    </PopoverForm>
  );
}

interface ValueFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  filter: EventFilterParameters;
  /** Field whose most frequent values are suggested; undefined for fields without suggestions. */
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
        spellCheck="false"
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
