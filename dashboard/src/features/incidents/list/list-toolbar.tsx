import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../../../server/src/events/limits.ts';
import type { IncidentSort } from '../../../lib/search/incident-search.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { incidentSummaryQuery } from '../queries.ts';
import { texts } from './texts.ts';

/** A filter is applied once typing pauses for this long. */
const TYPING_PAUSE_MS = 200;

interface ListToolbarProps {
  project: string | undefined;
  text: string;
  sort: IncidentSort;
  onText: (text: string) => void;
  onSort: (sort: IncidentSort) => void;
}

/** The filter and the order of the list, and how many incidents there were lately. */
export function ListToolbar({ project, text, sort, onText, onSort }: ListToolbarProps) {
  /** Null: the field shows the filter of the address. */
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const { data: summary } = useQuery(incidentSummaryQuery(project));
  const apply = () => {
    if (typed !== null && typed.trim() !== text) onText(typed.trim());
  };
  const applyNow = useEffectEvent(apply);
  useEffect(() => {
    const timer = setTimeout(() => applyNow(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useShortcuts([
    { keys: '/', says: texts.keys.filter, run: () => field.current?.querySelector('input')?.focus() },
  ]);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div ref={field} className="min-w-0 flex-1 basis-56 sm:max-w-80">
        <TextField
          label={texts.filter.label}
          labelHidden
          type="search"
          placeholder={texts.filter.placeholder}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          value={typed ?? text}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => {
            apply();
            setTyped(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // The text stays: Escape only leaves the field.
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
      </div>
      <SelectField
        label={texts.filter.sort}
        labelHidden
        className="w-44"
        value={sort}
        onChange={onSort}
        options={[
          { value: 'newest', label: texts.filter.newest },
          { value: 'severity', label: texts.filter.severity },
        ]}
      />
      <p className="min-h-5 text-sm text-text-muted sm:ml-auto">
        {summary && texts.summary({ opened: summary.opened, medianSeconds: summary.medianSecondsToResolve })}
      </p>
    </div>
  );
}
