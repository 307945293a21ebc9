import { texts } from '../texts.ts';
import { adding } from './filter.ts';
import { useEventSearch } from './use-event-search.ts';

interface ValueFilterProps {
  /** As in the API. */
  name: string;
  value: string;
  /** What stands there, where that is not the value itself. */
  text?: string | undefined;
  /** Only the buttons: the value stands there already. */
  bare?: boolean;
}

const BUTTON =
  'min-h-5 min-w-5 rounded px-1 font-sans text-xs leading-none text-text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-8 pointer-coarse:min-w-8';

/** A value that narrows the list to the events that have it, or to those that do not. */
export function ValueFilter({ name, value, text = value, bare = false }: ValueFilterProps) {
  const [search, change] = useEventSearch();
  const apply = (excluded: boolean) => change(adding(search, { name, value, excluded }));
  const buttons = (
    <button
      type="button"
      title={texts.filters.exclude(name, text)}
      aria-label={texts.filters.exclude(name, text)}
      onClick={() => apply(true)}
      className={BUTTON}
    >
      ≠
    </button>
  );
  if (bare)
    return (
      <span className="whitespace-nowrap">
        <button
          type="button"
          title={texts.filters.showOnly(name, text)}
          aria-label={texts.filters.showOnly(name, text)}
          onClick={() => apply(false)}
          className={BUTTON}
        >
          =
        </button>
        {buttons}
      </span>
    );
  return (
    <>
      <button
        type="button"
        title={texts.filters.showOnly(name, text)}
        onClick={() => apply(false)}
        className="rounded text-left wrap-anywhere underline decoration-line-strong decoration-dotted underline-offset-2 hover:decoration-solid"
      >
        {text}
      </button>{' '}
      {buttons}
    </>
  );
}
