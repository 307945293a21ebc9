import type { EventSearch } from '../../../lib/event-search.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { activeFilters, type ChangeSearch, FILTER_LABELS, NO_FILTERS } from './use-event-search.ts';

/** The active filters, each with a way to remove it. */
export function FilterChips({ search, onChange }: { search: EventSearch; onChange: ChangeSearch }) {
  const filters = activeFilters(search);
  if (filters.length === 0) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 px-4 pb-2">
      <ul aria-label="Active filters" className="contents">
        {filters.map(([name, value]) => {
          const label = FILTER_LABELS[name] && `${FILTER_LABELS[name]}: `;
          const text = label ? value : `“${value}”`;
          return (
            <li key={name} className="min-w-0">
              <button
                type="button"
                aria-label={`Remove filter ${label}${text}`}
                onClick={() => onChange({ [name]: undefined })}
                className="flex min-h-7 max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-accent-soft px-2 text-xs hover:bg-hover"
              >
                <span className="max-w-64 truncate" title={value}>
                  <span className="text-text-muted">{label}</span>
                  {text}
                </span>
                <span aria-hidden="true">×</span>
              </button>
            </li>
          );
        })}
      </ul>
      <Button variant="ghost" className="min-h-7! px-2! text-xs" onClick={() => onChange(NO_FILTERS)}>
        Clear filters
      </Button>
    </div>
  );
}
