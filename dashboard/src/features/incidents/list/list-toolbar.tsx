import { useQuery } from '@tanstack/react-query';
import { MAX_SEARCH_LENGTH } from '../../../../../server/src/events/limits.ts';
import type { IncidentSort } from '../../../lib/search/incident-search.ts';
import { SelectField } from '../../../ui/forms/field.tsx';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { incidentSummaryQuery } from './queries.ts';
import { texts } from './texts.ts';

interface ListToolbarProps {
  project: string | undefined;
  text: string;
  sort: IncidentSort;
  onText: (text: string) => void;
  onSort: (sort: IncidentSort) => void;
}

/** The filter and the order of the list, and a summary of the last 7 days. */
export function ListToolbar({ project, text, sort, onText, onSort }: ListToolbarProps) {
  const { data: summary } = useQuery(incidentSummaryQuery(project));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <SearchField
        label={texts.filter.label}
        placeholder={texts.filter.placeholder}
        shortcut={texts.keys.filter}
        maxLength={MAX_SEARCH_LENGTH}
        className="min-w-0 flex-1 basis-56 sm:max-w-80"
        value={text}
        onChange={onText}
      />
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
