import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Event, ListedEventRecord } from '../../../lib/api-types.ts';
import { useMessages, useTopic } from '../../../lib/realtime.ts';
import type { EventList } from '../list/use-event-list.ts';
import { toListed } from '../listed-event.ts';
import { newEventsQuery, POLL_MS } from '../queries.ts';
import { fitsFilter } from './fits-filter.ts';
import { enqueue, flush, type Incoming, NO_INCOMING, sinceOf } from './incoming.ts';

/** Polls at the start of a live tail, which takes a moment to begin: they leave no gap. */
const FIRST_POLLS = 3;
const FIRST_POLL_MS = 2_000;
/** Interval in which rows of a burst are drawn together. */
const BATCH_MS = 100;

interface Options {
  list: EventList;
  /** True if the range of the list has no end: only then new events belong to it. */
  open: boolean;
  live: boolean;
  /** True if new events wait until the user shows them. */
  paused: boolean;
}

/** Returns the events since the list was read: from the live tail, or by polling every few seconds. */
export function useIncoming({ list, open, live, paused }: Options) {
  const [state, setState] = useState<{ of: unknown; incoming: Incoming }>({
    of: null,
    incoming: NO_INCOMING,
  });
  const incoming = state.of === list.filter ? state.incoming : NO_INCOMING;
  // Without a list there is no time since which events are new.
  const ready = open && !list.pending && !list.outdated && list.readAtMs > 0;

  const update = (change: (incoming: Incoming) => Incoming) =>
    setState((previous) => {
      const before = previous.of === list.filter ? previous.incoming : NO_INCOMING;
      const after = change(before);
      return after === before ? previous : { of: list.filter, incoming: after };
    });
  const take = (events: ListedEventRecord[], omitted: number) => {
    update((before) => enqueue(before, events.map(toListed), { known: list.rows, paused, omitted }));
  };

  const since = sinceOf(live ? list.rows : [...incoming.shown.slice(0, 1), ...list.rows.slice(0, 1)]);
  const polled = useQuery({
    ...newEventsQuery(list.filter, since ?? list.filter.from ?? '', list.readAtMs),
    enabled: ready,
    refetchInterval: ({ state: { dataUpdateCount } }) => {
      if (!live) return POLL_MS;
      return dataUpdateCount < FIRST_POLLS ? FIRST_POLL_MS : false;
    },
  });
  const takePolled = useEffectEvent(() => {
    if (!ready) return;
    if (polled.data.next !== null && !live && !paused) list.renew();
    else take(polled.data.items, 0);
  });
  useEffect(() => takePolled(), [polled.data, ready]);

  useTail(live, ({ events, omitted }) => {
    if (!live || !ready) return;
    take(
      events.filter((event) => fitsFilter(event, list.filter)),
      omitted,
    );
  });

  // Waiting events are shown once the list is no longer paused.
  const flushUnlessPaused = useEffectEvent(() => {
    if (!paused) update(flush);
  });
  useEffect(() => flushUnlessPaused(), [paused]);

  return {
    ...incoming,
    /** True if there are more events than a poll returns. */
    more: !live && polled.data.next !== null,
    show: () => {
      if (!live && polled.data.next !== null) {
        setState({ of: null, incoming: NO_INCOMING });
        list.renew();
      } else {
        update(flush);
      }
    },
  };
}

interface Batch {
  events: Event[];
  omitted: number;
}

/** Follows the live tail, and passes on its events in batches. */
function useTail(live: boolean, onBatch: (batch: Batch) => void): void {
  useTopic('events', live);
  const batch = useRef<Batch>({ events: [], omitted: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const takeBatch = useEffectEvent(() => {
    const taken = batch.current;
    batch.current = { events: [], omitted: 0 };
    timer.current = undefined;
    onBatch(taken);
  });
  useMessages((message) => {
    if (message.event !== 'event_captured' || !live) return;
    batch.current.events.push(message.data);
    batch.current.omitted += message.omitted ?? 0;
    timer.current ??= setTimeout(() => takeBatch(), BATCH_MS);
  });
}
