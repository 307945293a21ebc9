import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { ListTimeHead } from '../../../ui/display/list-time.tsx';
import type { ListedEvent } from '../listed-event.ts';
import { texts } from '../texts.ts';
import { copyRows } from './copy-rows.ts';
import { COLUMNS, EventRow, FROM_MEDIUM, FROM_WIDE } from './event-row.tsx';
import { useViewport } from './use-viewport.ts';
import {
  assignElements,
  HEADING_HEIGHT,
  lastInSight,
  ROW_HEIGHT,
  scrollTopFor,
  visibleRows,
} from './visible-rows.ts';

/** Number of rows before the end at which the next page is read. */
const AHEAD = 120;

interface EventGridProps {
  ref: RefObject<HTMLDivElement | null>;
  rows: ListedEvent[];
  /** Index of the selected row; -1 if none is selected. */
  activeIndex: number;
  /** True if there are more rows than were read. */
  hasMore: boolean;
  /** True while the list takes no request for more. */
  reading: boolean;
  outdated: boolean;
  onMoveTo: (index: number) => void;
  /** Returns the address of the page with an event open. */
  hrefOf: (id: string) => string;
  onOpen: (id: string) => void;
  onNearEnd: () => void;
  onScrolled: (scrolled: boolean) => void;
  /** Shown if there are no rows. */
  children?: ReactNode;
  footer?: ReactNode;
}

/**
 * The rows; only those in sight are drawn. The grid itself has the focus and names the active row:
 * rows may come and go under it.
 */
export function EventGrid(props: EventGridProps) {
  const { ref, rows, activeIndex, hasMore, reading, outdated, hrefOf } = props;
  const { onMoveTo, onOpen, onNearEnd, onScrolled } = props;
  const viewport = useViewport(ref);
  const nearEnd = hasMore && !reading && !outdated && lastInSight(viewport) >= rows.length - AHEAD;
  const askForMore = useEffectEvent(onNearEnd);
  useEffect(() => {
    if (nearEnd) askForMore();
  }, [nearEnd, rows.length]);

  const activeId = rows[activeIndex]?.id;
  const showActive = useEffectEvent(() => {
    const element = ref.current;
    if (!element || activeIndex < 0) return;
    const { scrollTop, clientHeight } = element;
    const target = scrollTopFor(activeIndex, { scrollTop, height: clientHeight });
    if (target !== scrollTop) element.scrollTop = target;
  });
  useEffect(() => showActive(), [activeId]);

  const scrolled = useRef(false);
  const watchScroll = () => {
    const now = (ref.current?.scrollTop ?? 0) > 0;
    if (now !== scrolled.current) onScrolled(now);
    scrolled.current = now;
  };

  const takeKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLButtonElement) return;
    if (event.key === 'Enter' && activeId !== undefined) {
      event.preventDefault();
      onOpen(activeId);
      return;
    }
    const target = targetOf(event.key, activeIndex, rows.length, pageRows(ref.current));
    if (target === null) return;
    event.preventDefault();
    if (rows.length > 0) onMoveTo(Math.min(Math.max(target, 0), rows.length - 1));
  };

  const drawn = visibleRows(viewport, rows.length, activeIndex).flatMap((index) => {
    const event = rows[index];
    return event ? [{ event, index }] : [];
  });
  const elements = useRef<ReadonlyMap<string, number>>(new Map());
  const { activeElement } = document;
  const hasFocusInRow = activeElement !== ref.current && ref.current?.contains(activeElement) === true;
  elements.current = assignElements(
    elements.current,
    drawn.map(({ event }) => event.id),
    (getSelection()?.isCollapsed ?? true) && !hasFocusInRow,
  );

  return (
    <div
      ref={ref}
      role="grid"
      aria-label={texts.title}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      aria-activedescendant={activeId === undefined ? undefined : rowId(activeId)}
      aria-busy={outdated}
      tabIndex={0}
      onKeyDown={takeKey}
      onScroll={watchScroll}
      onCopy={(event) => copyRows(event, rows)}
      className="@container relative min-h-0 flex-1 overflow-y-auto overscroll-contain m-0.5 outline-offset-0! [overflow-anchor:none]"
    >
      <div role="rowgroup" className="sticky top-0 z-10">
        <Heading />
      </div>
      {rows.length === 0 ? (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell">{props.children}</div>
          </div>
        </div>
      ) : (
        <div
          role="rowgroup"
          className={`relative ${outdated ? 'opacity-60' : ''}`}
          style={{ height: rows.length * ROW_HEIGHT }}
        >
          {drawn.map(({ event, index }) => (
            <EventRow
              key={elements.current.get(event.id)}
              event={event}
              id={rowId(event.id)}
              rowIndex={index + 2}
              top={index * ROW_HEIGHT}
              active={index === activeIndex}
              href={hrefOf(event.id)}
              onOpen={onOpen}
            />
          ))}
        </div>
      )}
      {rows.length > 0 && props.footer}
    </div>
  );
}

function Heading() {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={`${COLUMNS} h-7 border-b border-line bg-muted text-xs text-text-muted`}
    >
      <span role="columnheader">
        <span className="sr-only">{texts.form.severity}</span>
      </span>
      <span role="columnheader">{texts.list.message}</span>
      <span role="columnheader" className={FROM_MEDIUM}>
        {texts.list.typeAndSource}
      </span>
      <span role="columnheader" className={FROM_WIDE}>
        {texts.event.correlation}
      </span>
      <span role="columnheader" className="text-right">
        <ListTimeHead />
      </span>
    </div>
  );
}

function rowId(eventId: string): string {
  return `row-${eventId}`;
}

function pageRows(grid: HTMLElement | null): number {
  return Math.max(1, Math.floor(((grid?.clientHeight ?? 0) - HEADING_HEIGHT) / ROW_HEIGHT) - 1);
}

/** Returns the index of the row that a key moves to; null for other keys. */
function targetOf(key: string, active: number, count: number, page: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active < 0 ? 0 : active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
