import { useQuery } from '@tanstack/react-query';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { groupQuery, incidentQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { type Filter, filtersOf, inverted, without } from './filter.ts';
import type { ChangeSearch } from './use-event-search.ts';

/** The active filters, each with a way to remove it, and to turn it into its opposite. */
export function FilterChips({ search, onChange }: { search: EventSearch; onChange: ChangeSearch }) {
  const filters = filtersOf(search);
  if (filters.length === 0) return null;
  return (
    <div className="flex max-h-24 min-w-0 flex-wrap items-center gap-1.5 overflow-y-auto px-4 pb-2">
      <ul aria-label={texts.filters.list} className="contents">
        {filters.map((filter) => (
          <li key={`${filter.name}${filter.excluded ? '!' : ''}=${filter.value}`} className="min-w-0">
            <Chip {...{ filter, search, onChange }} />
          </li>
        ))}
      </ul>
      <Button
        variant="ghost"
        className="min-h-7! px-2! text-xs"
        onClick={() => onChange({}, { alone: true })}
      >
        {texts.filters.clear}
      </Button>
    </div>
  );
}

const PART = 'min-h-7 px-2 hover:bg-hover';

function Chip(props: { filter: Filter; search: EventSearch; onChange: ChangeSearch }) {
  const { filter, search, onChange } = props;
  const { name, excluded } = filter;
  const isWords = name === 'q';
  // The API cannot exclude the events of an incident.
  const isInvertible = !isWords && name !== 'incident_id';
  const { data: group } = useQuery({ ...groupQuery(filter.value), enabled: name === 'group_id' });
  const { data: incident } = useQuery({ ...incidentQuery(filter.value), enabled: name === 'incident_id' });
  const value = group?.title ?? incident?.title ?? filter.value;
  const described = texts.filters.describe(name, value, excluded);
  const label = (
    <>
      {!isWords && (
        <span className="text-text-muted">
          {texts.filters.nameOf(name)} {texts.filters.verb(excluded)}{' '}
        </span>
      )}
      {isWords ? described : value}
    </>
  );
  return (
    <span
      className={`flex max-w-full items-stretch overflow-hidden rounded-md border text-xs ${excluded ? 'border-dashed border-line-strong' : 'border-line-strong bg-accent-soft'}`}
    >
      {!isInvertible ? (
        <span className="max-w-64 truncate px-2 py-1.5" title={value}>
          {label}
        </span>
      ) : (
        <button
          type="button"
          title={texts.filters.invert(described, excluded)}
          aria-label={texts.filters.invert(described, excluded)}
          onClick={() => onChange(inverted(search, filter))}
          className={`${PART} max-w-64 min-w-0 truncate -outline-offset-2`}
        >
          {label}
        </button>
      )}
      <button
        type="button"
        aria-label={texts.filters.remove(name, value, excluded)}
        onClick={() => onChange(without(search, filter))}
        className={`${PART} border-l border-line -outline-offset-2`}
      >
        <span aria-hidden="true">×</span>
      </button>
    </span>
  );
}
