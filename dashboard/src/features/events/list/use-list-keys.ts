import type { RefObject } from 'react';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { texts } from '../texts.ts';

interface ListKeys {
  grid: RefObject<HTMLElement | null>;
  open: boolean;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
}

/** Registers j and k anywhere on the page, and Escape while the panel is open. */
export function useListKeys({ grid, open, onMove, onClose }: ListKeys): void {
  const move = (by: 1 | -1) => {
    // The grid takes the focus so that Enter and the arrows work; focus inside the panel stays there.
    if (document.activeElement?.contains(grid.current)) grid.current?.focus({ preventScroll: true });
    onMove(by);
  };
  useShortcuts([
    { keys: 'j', label: texts.event.next, run: () => move(1) },
    { keys: 'k', label: texts.event.previous, run: () => move(-1) },
    ...(open ? [{ keys: 'Escape', label: texts.event.closeKey, run: onClose }] : []),
  ]);
}
