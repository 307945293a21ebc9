import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import type { ChangeSearch } from '../filters/use-event-search.ts';

/** Delay of the address behind the selection: a held key passes many rows. */
const FOLLOW_MS = 120;

export interface Selection {
  /** Id of the selected row. */
  active: string | undefined;
  /** True if the panel shows it. */
  open: boolean;
  select: (id: string) => void;
  openEvent: (id: string) => void;
  close: () => void;
}

/** Keeps the selected row, and in the address whether it is open. */
export function useSelection({ event }: EventSearch, change: ChangeSearch): Selection {
  const [active, setActive] = useState(event);
  // The selection that this page wrote to the address; any other value there comes from navigation, and is followed.
  const written = useRef(event);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const follow = useEffectEvent(() => {
    if (event === written.current) return;
    written.current = event;
    if (event !== undefined) setActive(event);
  });
  useEffect(() => follow(), [event]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const tell = (id: string | undefined, replace: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    written.current = id;
    change({ event: id }, { replace });
  };
  const open = event !== undefined;
  return {
    active,
    open,
    select: (id) => {
      setActive(id);
      clearTimeout(timer.current);
      if (open) timer.current = setTimeout(() => tell(id, true), FOLLOW_MS);
    },
    openEvent: (id) => {
      setActive(id);
      tell(id, open);
    },
    close: () => {
      if (timer.current === undefined) {
        tell(undefined, false);
      } else {
        // Going back leads to the last selection. Two changes in one turn would become one step of the history.
        tell(active, true);
        timer.current = setTimeout(() => tell(undefined, false));
      }
    },
  };
}
