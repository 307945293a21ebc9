import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useScope } from '../../../lib/scope.ts';
import { EventPanelSlot } from '../../../ui/event/event-panel-slot.tsx';
import { useInUse } from '../../../ui/feedback/use-in-use.ts';
import { useTitle } from '../../../ui/layout/page.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import { SearchOffers } from '../filters/search-offers.tsx';
import { useEventSearch } from '../filters/use-event-search.ts';
import { EventResults } from '../list/event-results.tsx';
import { useEventList } from '../list/use-event-list.ts';
import { useListKeys } from '../list/use-list-keys.ts';
import { useSelection } from '../list/use-selection.ts';
import { useIncoming } from '../live/use-incoming.ts';
import { texts } from '../texts.ts';
import { EventHistogram } from './event-histogram.tsx';
import { EventToolbar } from './event-toolbar.tsx';
import { NoEvents } from './no-events.tsx';

/** Placeholder for the id of an event in an address. */
const PLACEHOLDER = 'EVENT-ID';

/** The events that match the filters: over time, one by one, and as they arrive. */
export function EventsPage() {
  useTitle(texts.title);
  const [search, change] = useEventSearch();
  const [scope] = useScope();
  const grid = useRef<HTMLDivElement>(null);
  const [paused, setPaused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  const [hasRows, setHasRows] = useState(false);
  const { isTouched, hasFocus, area } = useInUse();
  const live = search.live === true && search.order !== 'asc';

  const list = useEventList(search, scope);
  const selection = useSelection(search, change);
  const { active } = selection;
  const isReading = hasFocus && active !== undefined;
  // An empty list has no reading position to keep: the first event is shown at once.
  const isPaused =
    paused || scrolled || (hasRows && (isTouched || isReading)) || (!live && list.rows.length > 0);
  const incoming = useIncoming({
    list,
    open: scope.to === undefined && search.order !== 'asc',
    live,
    paused: isPaused,
  });
  const rows = useMemo(() => [...incoming.shown, ...list.rows], [incoming.shown, list.rows]);
  if (hasRows !== rows.length > 0) setHasRows(rows.length > 0);
  const activeIndex = useMemo(() => rows.findIndex(({ id }) => id === active), [rows, active]);
  const moveTo = (index: number) => {
    const row = rows[index];
    if (row) selection.select(row.id);
  };
  const close = () => {
    selection.close();
    grid.current?.focus({ preventScroll: true });
  };
  useListKeys({
    grid,
    open: selection.open,
    onMove: (by) => moveTo(Math.max(0, activeIndex + by)),
    onClose: close,
  });

  const router = useRouter();
  const { publicHref } = router.buildLocation({
    to: '/events',
    search: { ...search, ...scope, event: PLACEHOLDER },
  });
  const hrefOf = useCallback((id: string) => publicHref.replace(PLACEHOLDER, id), [publicHref]);
  const toTop = () => {
    grid.current?.scrollTo({ top: 0 });
  };
  useEffect(() => toTop(), [list.filter]);
  const openId = selection.open ? (active ?? search.event) : undefined;
  const canMoveTo = (index: number) => (rows[index] && activeIndex >= 0 ? () => moveTo(index) : undefined);

  return (
    // The list takes the remaining height and scrolls by itself: filters, chart and panel stay in sight.
    <div className="absolute inset-0 flex min-h-96">
      <div className="@container flex min-w-0 flex-1 flex-col">
        <EventToolbar
          search={search}
          filter={list.filter}
          paused={paused}
          omitted={incoming.omitted}
          onChange={change}
          onPause={setPaused}
          onDone={() => grid.current?.focus({ preventScroll: true })}
        />
        <FilterChips search={search} onChange={change} />
        <SearchOffers search={search} nothingFound={!list.pending && rows.length === 0} onChange={change} />
        <EventHistogram search={search} filter={list.filter} />
        <EventResults
          {...{ grid, list, rows, activeIndex, area }}
          waiting={incoming.waiting.length}
          moreWaiting={incoming.more}
          onShowWaiting={() => {
            incoming.show();
            toTop();
          }}
          onMoveTo={moveTo}
          hrefOf={hrefOf}
          onOpen={selection.openEvent}
          onScrolled={setScrolled}
          empty={<NoEvents search={search} onChange={change} />}
        />
      </div>
      {openId !== undefined && (
        <EventPanelSlot
          id={openId}
          event={rows[activeIndex]?.whole ?? null}
          onNext={canMoveTo(activeIndex + 1)}
          onPrevious={canMoveTo(activeIndex - 1)}
          onClose={close}
        />
      )}
    </div>
  );
}
