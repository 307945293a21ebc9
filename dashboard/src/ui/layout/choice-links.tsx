import { Link } from '@tanstack/react-router';
import { formatCount } from '../../lib/format.ts';

interface ChoiceLinksProps<Choice extends string> {
  /** Accessible name of the group. */
  name: string;
  /** Field of the address that holds the choice; unset for the first one. */
  field: 'state' | 'status';
  choices: readonly Choice[];
  chosen: Choice;
  labels: Record<Choice, string>;
  /** Numbers of listed things, which may arrive later; unset if none are shown. */
  counts?: Partial<Record<Choice, number>>;
}

/** Links that choose one value of a filter of the page; the other filters stay. */
export function ChoiceLinks<Choice extends string>(props: ChoiceLinksProps<Choice>) {
  const { name, field, choices, chosen, labels, counts } = props;
  return (
    <div role="group" aria-label={name} className="flex overflow-x-auto border-b border-line sm:gap-1">
      {choices.map((choice, index) => {
        const isChosen = choice === chosen;
        const count = counts?.[choice];
        return (
          <Link
            key={choice}
            to="."
            search={(previous) => ({ ...previous, [field]: index === 0 ? undefined : choice })}
            aria-current={isChosen ? 'page' : undefined}
            activeProps={{ 'aria-current': isChosen ? 'page' : undefined }}
            className={`-mb-px flex min-h-9 items-center gap-1.5 border-b-2 px-1.5 text-sm whitespace-nowrap sm:px-3 ${isChosen ? 'border-accent font-medium' : 'border-transparent text-text-muted hover:text-text'}`}
          >
            {labels[choice]}
            {/* As wide as a digit until the number arrives: nothing moves then. */}
            {counts && (
              <span className="min-w-[1ch] text-xs font-normal text-text-muted">
                {count !== undefined && formatCount(count)}
              </span>
            )}
          </Link>
        );
      })}
    </div>
  );
}
