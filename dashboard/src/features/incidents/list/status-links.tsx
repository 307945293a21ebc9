import { Link } from '@tanstack/react-router';
import type { IncidentCounts } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import type { StatusChoice } from '../../../lib/search/incident-search.ts';
import { texts } from './texts.ts';

const CHOICES = ['open', 'investigating', 'resolved', 'all'] as const satisfies StatusChoice[];

/** Links that choose the status of the listed incidents, with their counts. */
export function StatusLinks({
  chosen,
  counts,
}: {
  chosen: StatusChoice;
  counts: IncidentCounts | undefined;
}) {
  const countOf = (status: StatusChoice) =>
    counts && (status === 'all' ? counts.open + counts.investigating + counts.resolved : counts[status]);
  return (
    <div
      role="group"
      aria-label={texts.status.name}
      className="flex overflow-x-auto border-b border-line sm:gap-1"
    >
      {CHOICES.map((status) => {
        const count = countOf(status);
        const isChosen = status === chosen;
        return (
          <Link
            key={status}
            to="/incidents"
            from="/incidents"
            search={(previous) => ({ ...previous, status: status === 'open' ? undefined : status })}
            aria-current={isChosen ? 'page' : undefined}
            activeProps={{ 'aria-current': isChosen ? 'page' : undefined }}
            className={`-mb-px flex min-h-9 items-center gap-1.5 border-b-2 px-1.5 text-sm whitespace-nowrap sm:px-3 ${isChosen ? 'border-accent font-medium' : 'border-transparent text-text-muted hover:text-text'}`}
          >
            {texts.status[status]}
            {/* As wide as a digit until the number arrives: nothing moves then. */}
            <span className="min-w-[1ch] text-xs font-normal text-text-muted">
              {count !== undefined && formatCount(count)}
            </span>
          </Link>
        );
      })}
    </div>
  );
}
