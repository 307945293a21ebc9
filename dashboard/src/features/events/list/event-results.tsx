import type { ReactNode, RefObject } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import type { ListedEvent } from '../listed-event.ts';
import { EventGrid } from './event-grid.tsx';
import type { EventList } from './use-event-list.ts';

interface EventResultsProps {
  grid: RefObject<HTMLDivElement | null>;
  list: EventList;
  /** The list's rows below those that arrived since. */
  rows: ListedEvent[];
  activeIndex: number;
  waiting: number;
  /** More wait than were counted. */
  moreWaiting: boolean;
  onShowWaiting: () => void;
  onMoveTo: (index: number) => void;
  hrefOf: (id: string) => string;
  onOpen: (id: string) => void;
  onScrolled: (scrolled: boolean) => void;
  /** Says why there are none. */
  empty: ReactNode;
}

/** The list in each of its states. */
export function EventResults(props: EventResultsProps) {
  const { list, rows, waiting } = props;
  if (list.pending) {
    return list.error ? (
      <Failure error={list.error} onRetry={list.retry} />
    ) : (
      <div className="min-h-0 flex-1 overflow-hidden pt-7">
        <Skeleton rows={12} />
      </div>
    );
  }
  if (list.error && rows.length === 0) return <Failure error={list.error} onRetry={list.retry} />;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {waiting > 0 && (
        <div className="pointer-events-none absolute inset-x-0 top-8 z-20 flex justify-center">
          <Button
            variant="primary"
            className="pointer-events-auto rounded-full! shadow-lg"
            onClick={props.onShowWaiting}
          >
            {waiting}
            {props.moreWaiting && '+'} new
          </Button>
        </div>
      )}
      <EventGrid
        ref={props.grid}
        rows={rows}
        activeIndex={props.activeIndex}
        hasMore={list.hasMore && !list.error}
        loadingMore={list.loadingMore}
        outdated={list.outdated}
        onMoveTo={props.onMoveTo}
        hrefOf={props.hrefOf}
        onOpen={props.onOpen}
        onNearEnd={list.loadMore}
        onScrolled={props.onScrolled}
        footer={<Footer list={list} />}
      >
        {/* A search for words looks through so many events at a time, and may find none among the first. */}
        {list.hasMore && !list.error ? <Skeleton rows={6} /> : props.empty}
      </EventGrid>
    </div>
  );
}

function Footer({ list }: { list: EventList }) {
  if (list.error) return <Failure error={list.error} onRetry={list.loadMore} />;
  if (!list.hasMore) return null;
  return <p className="h-9 px-3 py-2 text-sm text-text-muted">{list.loadingMore && 'Loading more…'}</p>;
}
