import { Link } from '@tanstack/react-router';
import type { GroupStateChoice } from '../../../lib/search/group-search.ts';
import { texts } from '../texts.ts';

const CHOICES = ['open', 'resolved', 'muted', 'all'] as const satisfies GroupStateChoice[];

/** Links that choose the state of the listed groups; the other filters stay. */
export function StateLinks({ chosen }: { chosen: GroupStateChoice }) {
  return (
    <div
      role="group"
      aria-label={texts.list.states}
      className="flex gap-1 overflow-x-auto border-b border-line"
    >
      {CHOICES.map((state) => {
        const isChosen = state === chosen;
        return (
          <Link
            key={state}
            to="/groups"
            from="/groups"
            search={(previous) => ({ ...previous, state: state === 'open' ? undefined : state })}
            activeProps={{ 'aria-current': isChosen ? 'page' : undefined }}
            className={`-mb-px flex min-h-9 items-center border-b-2 px-2 text-sm whitespace-nowrap sm:px-3 ${isChosen ? 'border-accent font-semibold' : 'border-transparent text-text-muted hover:text-text'}`}
          >
            {texts.list.tabs[state]}
          </Link>
        );
      })}
    </div>
  );
}
