import { useCallback, useState } from 'react';

/** Classes of a floating list of options or actions. */
export const POPUP =
  'max-h-[min(24rem,var(--available-height))] max-w-[min(28rem,var(--available-width))] min-w-[max(8rem,var(--anchor-width))] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-lg outline-none';

/** Classes of an option or action. */
export const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm -outline-offset-2 select-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-hover pointer-coarse:min-h-10';

/**
 * Returns the container for an element's popup: its modal dialog, which makes everything else inert, or the landmark
 * around it.
 */
export function usePlaceOf(): [HTMLElement | undefined, (element: HTMLElement | null) => void] {
  const [place, setPlace] = useState<HTMLElement>();
  const find = useCallback(
    (element: HTMLElement | null) =>
      setPlace(element?.closest<HTMLElement>('dialog, main, header') ?? undefined),
    [],
  );
  return [place, find];
}
