import { texts } from '../texts.ts';
import { adding } from './filter.ts';
import { useEventSearch } from './use-event-search.ts';

interface ValueFilterProps {
  /** Name of the filter in the API. */
  name: string;
  value: string;
  /** Displayed text; default: the value. */
  text?: string | undefined;
  /** True to show the buttons alone, beside a value that is shown already. */
  bare?: boolean;
}

const BUTTON =
  'min-h-6 min-w-6 rounded px-1 font-sans text-xs leading-none text-text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-8 pointer-coarse:min-w-8';

/** A value with buttons that show only the events with it, or exclude them. */
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
        className="min-h-6 min-w-6 rounded text-left wrap-anywhere underline decoration-line-strong decoration-dotted underline-offset-2 hover:decoration-solid"
      >
        {text}
      </button>{' '}
      {buttons}
    </>
  );
}
