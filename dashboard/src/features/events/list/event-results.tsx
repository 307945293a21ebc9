import type { HTMLAttributes, ReactNode, RefObject } from 'react';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { IN_HEAD, WaitingButton } from '../../../ui/feedback/waiting-button.tsx';
import type { ListedEvent } from '../listed-event.ts';
import { texts } from '../texts.ts';
import { EventGrid } from './event-grid.tsx';
import type { EventList } from './use-event-list.ts';

interface EventResultsProps {
  grid: RefObject<HTMLDivElement | null>;
  list: EventList;
  /** Rows of the list, below those that arrived since it was read. */
  rows: ListedEvent[];
  activeIndex: number;
  /** Attributes that tell when the list is in use. */
  area: HTMLAttributes<HTMLElement>;
  waiting: number;
  /** True if more events wait than were counted. */
  moreWaiting: boolean;
  onShowWaiting: () => void;
  onMoveTo: (index: number) => void;
  hrefOf: (id: string) => string;
  onOpen: (id: string) => void;
  onScrolled: (scrolled: boolean) => void;
  /** Explains why there are no rows. */
  empty: ReactNode;
}

/** The list in its states: loading, failed, empty, and with rows. */
export function EventResults(props: EventResultsProps) {
  const { list, rows, waiting } = props;
  if (list.pending) {
    return list.error ? (
      <ListFailure list={list} onRetry={list.retry} />
    ) : (
      <div className="min-h-0 flex-1 overflow-hidden pt-7">
        <Skeleton rows={12} />
      </div>
    );
  }
  if (list.error && rows.length === 0) return <ListFailure list={list} onRetry={list.retry} />;
  return (
    <div {...props.area} className="relative flex min-h-0 flex-1 flex-col">
      <WaitingButton
        waiting={waiting > 0 ? texts.live.waiting(waiting, props.moreWaiting) : null}
        onShow={props.onShowWaiting}
        className={IN_HEAD}
      />
      <EventGrid
        ref={props.grid}
        rows={rows}
        activeIndex={props.activeIndex}
        hasMore={list.hasMore && !list.error && !list.lookedTo}
        reading={list.reading}
        outdated={list.outdated}
        onMoveTo={props.onMoveTo}
        hrefOf={props.hrefOf}
        onOpen={props.onOpen}
        onNearEnd={list.loadMore}
        onScrolled={props.onScrolled}
        footer={<Footer list={list} />}
      >
        {/* A search scans a limited number of events at a time, and may find none among the first. */}
        {list.lookedTo ? (
          <LookedTo {...list.lookedTo} found={0} />
        ) : list.hasMore && !list.error ? (
          <Skeleton rows={6} />
        ) : (
          props.empty
        )}
      </EventGrid>
    </div>
  );
}

function ListFailure({ list: { error, isRepeated }, onRetry }: { list: EventList; onRetry: () => void }) {
  return <Failure error={error} isRepeated={isRepeated} onRetry={onRetry} />;
}

function Footer({ list }: { list: EventList }) {
  if (list.error) return <ListFailure list={list} onRetry={list.loadMore} />;
  if (list.lookedTo) return <LookedTo {...list.lookedTo} found={list.rows.length} />;
  if (!list.hasMore) return null;
  return (
    <p className="h-9 px-3 py-2 text-sm text-text-muted">{list.loadingMore && texts.list.loadingMore}</p>
  );
}

/** The time at which a search with few results has stopped, and a button to go on. */
function LookedTo({
  found,
  timeMs,
  isForward,
  lookFurther,
}: NonNullable<EventList['lookedTo']> & { found: number }) {
  const time = formatSlotTime(timeMs);
  return (
    <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-sm text-text-muted">
      {isForward ? texts.list.lookedForward(found, time) : texts.list.lookedBack(found, time)}
      <Button onClick={lookFurther}>{texts.list.lookFurther}</Button>
    </p>
  );
}
