import { useCallback, useState } from 'react';

/** A floating list of options or actions. */
export const POPUP =
  'max-h-[min(24rem,var(--available-height))] max-w-[min(28rem,var(--available-width))] min-w-[max(8rem,var(--anchor-width))] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-lg outline-none';

/** One of them. */
export const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-hover pointer-coarse:min-h-10';

/**
 * Where the popup of an element must be: in its modal dialog, which makes all else inert, or else in the landmark
 * that it belongs to.
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
