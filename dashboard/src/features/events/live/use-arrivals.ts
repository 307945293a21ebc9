import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Event, ListedEventRecord } from '../../../lib/api-types.ts';
import { realtime, useFrames } from '../../../lib/realtime.ts';
import type { EventList } from '../list/use-event-list.ts';
import { toListed } from '../listed-event.ts';
import { LOOK_MS, newEventsQuery } from '../queries.ts';
import { type Arrivals, admit, NO_ARRIVALS, release, sinceOf } from './arrivals.ts';
import { fitsFilter } from './fits-filter.ts';

/** A live tail takes a moment to begin: until then what is new is looked for, so that nothing falls between. */
const FIRST_LOOKS = 3;
const FIRST_LOOK_MS = 2_000;
/** Rows of a burst are drawn together. */
const GATHER_MS = 100;

interface Options {
  list: EventList;
  /** Whether the range of the list has no end: only then there is anything new. */
  open: boolean;
  live: boolean;
  /** What arrives waits until it is asked for: somebody reads. */
  hold: boolean;
}

/** What came in since the list was read: by the live tail, else by looking every few seconds. */
export function useArrivals({ list, open, live, hold }: Options) {
  const [state, setState] = useState<{ of: unknown; arrivals: Arrivals }>({
    of: null,
    arrivals: NO_ARRIVALS,
  });
  const arrivals = state.of === list.filter ? state.arrivals : NO_ARRIVALS;
  // Where the list could not be read yet, nothing is newer than it.
  const ready = open && !list.pending && !list.outdated && list.readAtMs > 0;

  const update = (change: (arrivals: Arrivals) => Arrivals) =>
    setState((previous) => {
      const before = previous.of === list.filter ? previous.arrivals : NO_ARRIVALS;
      const after = change(before);
      return after === before ? previous : { of: list.filter, arrivals: after };
    });
  const take = (events: ListedEventRecord[], omitted: number) => {
    const fitting = events.filter((event) => fitsFilter(event, list.filter));
    const listed = fitting.map(toListed);
    update((before) => admit(before, listed, { known: list.rows, hold, omitted }));
  };

  const since = sinceOf(live ? list.rows : [...arrivals.shown.slice(0, 1), ...list.rows.slice(0, 1)]);
  const looked = useQuery({
    ...newEventsQuery(list.filter, since ?? list.filter.from ?? '', list.readAtMs),
    enabled: ready,
    refetchInterval: ({ state: { dataUpdateCount } }) => {
      if (!live) return LOOK_MS;
      return dataUpdateCount < FIRST_LOOKS ? FIRST_LOOK_MS : false;
    },
  });
  const takeLooked = useEffectEvent(() => {
    if (!ready) return;
    if (looked.data.next !== null && !live && !hold) list.renew();
    else take(looked.data.items, 0);
  });
  useEffect(() => takeLooked(), [looked.data, ready]);

  useEffect(() => (live ? realtime.tailEvents() : undefined), [live]);
  const gathered = useRef<{ events: Event[]; omitted: number }>({ events: [], omitted: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flush = useEffectEvent(() => {
    const { events, omitted } = gathered.current;
    gathered.current = { events: [], omitted: 0 };
    timer.current = undefined;
    if (live && ready) take(events, omitted);
  });
  useFrames((frame) => {
    if (frame.event !== 'event_captured' || !live) return;
    gathered.current.events.push(frame.data);
    gathered.current.omitted += frame.omitted ?? 0;
    timer.current ??= setTimeout(() => flush(), GATHER_MS);
  });

  // Whoever is done with reading sees what waited.
  const releaseUnheld = useEffectEvent(() => {
    if (!hold) update(release);
  });
  useEffect(() => releaseUnheld(), [hold]);

  return {
    ...arrivals,
    /** There are more than were looked at. */
    more: !live && looked.data.next !== null,
    show: () => {
      if (!live && looked.data.next !== null) {
        setState({ of: null, arrivals: NO_ARRIVALS });
        list.renew();
      } else {
        update(release);
      }
    },
  };
}
