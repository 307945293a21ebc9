import { MAX_SEARCH_LENGTH } from '../../../../../server/src/events/limits.ts';
import type { EventFilterParameters } from '../../../lib/api-types.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { readTypedFilters } from '../../../lib/search/typed-filters.ts';
import { SEVERITIES } from '../../../lib/severity.ts';
import { toOptions } from '../../../ui/controls/select.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { FilterForm } from '../filters/filter-form.tsx';
import type { ChangeSearch } from '../filters/use-event-search.ts';
import { LiveControls } from '../live/live-controls.tsx';
import { texts } from '../texts.ts';
import { ExportMenu } from './export-menu.tsx';

const SEARCH_PAUSE_MS = 150;

interface EventToolbarProps {
  search: EventSearch;
  filter: EventFilterParameters;
  paused: boolean;
  omitted: number;
  onChange: ChangeSearch;
  onPause: (paused: boolean) => void;
  /** Called when the focus moves from the search to the list. */
  onDone: () => void;
}

/** The filters of the list, and whether it follows new events. */
export function EventToolbar(props: EventToolbarProps) {
  const { search, filter, paused, omitted, onChange, onPause, onDone } = props;
  return (
    <div className="relative flex flex-wrap items-center gap-2 px-4 pt-3 pb-2">
      <h1 className="mr-1">{texts.title}</h1>
      <SearchField
        label={texts.search.label}
        placeholder={texts.search.placeholder}
        shortcut={texts.search.key}
        maxLength={MAX_SEARCH_LENGTH}
        // Below 60rem the title and the search have a row of their own.
        className="flex-[1_0_calc(100%-5rem)] @min-[60rem]:flex-1"
        pauseMs={SEARCH_PAUSE_MS}
        keys={{ Enter: onDone, ArrowDown: onDone }}
        value={search.q ?? ''}
        onChange={(text, isDone) => {
          const { words, filters } = readTypedFilters(text);
          onChange({ q: words || undefined, ...(isDone && filters) }, { replace: true });
        }}
      />
      <SelectField
        label={texts.form.severity}
        labelHidden
        className="w-38"
        value={search.severity ?? ''}
        onChange={(severity) => onChange({ severity: severity || undefined })}
        options={[{ value: '', label: texts.form.anySeverity }, ...toOptions(SEVERITIES)]}
      />
      <SelectField
        label={texts.list.order}
        labelHidden
        className="w-36"
        value={search.order ?? 'desc'}
        // Live events appear above the newest.
        onChange={(order) => onChange(order === 'asc' ? { order, live: undefined } : { order: undefined })}
        options={[
          { value: 'desc', label: texts.list.newestFirst },
          { value: 'asc', label: texts.list.oldestFirst },
        ]}
      />
      <FilterForm search={search} filter={filter} onChange={onChange} />
      <ExportMenu filter={filter} />
      <LiveControls
        live={search.live === true}
        paused={paused}
        omitted={omitted}
        onLive={(live) => {
          onPause(false);
          // A range with an end has no live events.
          onChange(live ? { live, order: undefined, from: undefined, to: undefined } : { live: undefined });
        }}
        onPause={onPause}
      />
    </div>
  );
}
