import { type MouseEvent, memo } from 'react';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { ListTime } from '../../../ui/display/list-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import type { ListedEvent } from '../listed-event.ts';
import { texts } from '../texts.ts';

/** Columns by the width of the list: the least important disappear first. */
export const COLUMNS =
  'grid items-center gap-x-3 px-3 grid-cols-[1rem_minmax(0,1fr)_5.5rem] @2xl:grid-cols-[1rem_minmax(0,1fr)_minmax(0,10rem)_5.5rem] @4xl:grid-cols-[1rem_minmax(0,1fr)_minmax(0,13rem)_minmax(0,10rem)_8.5rem]';
export const FROM_MEDIUM = 'hidden @2xl:block';
export const FROM_WIDE = 'hidden @4xl:block';

interface EventRowProps {
  event: ListedEvent;
  id: string;
  /** Position among all rows from 1, the heading included. */
  rowIndex: number;
  top: number;
  active: boolean;
  /** Address of the page with the event open. */
  href: string;
  onOpen: (id: string) => void;
}

/**
 * One event in one line. A transform sets its position, so scrolling moves nothing else. The message is a link, for
 * other tabs; selecting text opens nothing.
 */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, id, rowIndex, top, active, href, onOpen } = props;
  const open = (click: MouseEvent) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return;
    click.preventDefault();
    if (getSelection()?.isCollapsed ?? true) onOpen(event.id);
  };
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={rowIndex}
      aria-selected={active}
      data-event={event.id}
      onClick={open}
      className={`${COLUMNS} absolute inset-x-0 top-0 h-9 contain-strict cursor-pointer border-b border-line text-sm ${active ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="gridcell">
        <SeverityGlyph severity={event.severity} />
      </span>
      <span role="gridcell" className="h-full min-w-0" title={event.message}>
        <a href={href} tabIndex={-1} draggable={false} className="block truncate leading-[35px] select-text">
          <Message text={event.message} />
          <span className="text-text-muted">{texts.event.weight(event.weight)}</span>
        </a>
      </span>
      <span role="gridcell" className={`${FROM_MEDIUM} truncate`}>
        {event.type}
        {event.source !== null && <span className="text-text-muted"> · {event.source}</span>}
      </span>
      <span role="gridcell" className={`${FROM_WIDE} truncate font-mono text-xs text-text-muted`}>
        {event.correlationId !== event.fingerprint && event.correlationId}
      </span>
      <span role="gridcell" className="text-right text-xs text-text-muted">
        <ListTime at={event.capturedAt} />
      </span>
    </div>
  );
});
