import { memo } from 'react';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import type { ListedEvent } from '../listed-event.ts';
import { messageParts } from './message-parts.ts';

/** The columns by the room that the list has: what matters least goes first. */
export const COLUMNS =
  'grid items-center gap-x-3 px-3 grid-cols-[1rem_minmax(0,1fr)_4.5rem] @2xl:grid-cols-[1rem_minmax(0,1fr)_minmax(0,11rem)_4.5rem] @4xl:grid-cols-[1rem_minmax(0,1fr)_minmax(0,13rem)_minmax(0,10rem)_5rem]';
export const FROM_MEDIUM = 'hidden @2xl:block';
export const FROM_WIDE = 'hidden @4xl:block';

interface EventRowProps {
  event: ListedEvent;
  id: string;
  /** Its place among all rows, the heading included; from 1. */
  rowIndex: number;
  top: number;
  active: boolean;
  onOpen: (id: string) => void;
}

/** One event in one line. Its place is set by a transform, so that scrolling moves nothing else. */
export const EventRow = memo(function EventRow({ event, id, rowIndex, top, active, onOpen }: EventRowProps) {
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={rowIndex}
      aria-selected={active}
      onClick={() => onOpen(event.id)}
      className={`${COLUMNS} absolute inset-x-0 top-0 h-9 cursor-pointer border-b border-line text-sm ${active ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="gridcell">
        <SeverityGlyph severity={event.severity} />
      </span>
      <span role="gridcell" className="truncate" title={event.message}>
        <Message text={event.message} />
      </span>
      <span role="gridcell" className={`${FROM_MEDIUM} truncate`}>
        {event.type}
        {event.source !== null && <span className="text-text-muted"> · {event.source}</span>}
      </span>
      <span role="gridcell" className={`${FROM_WIDE} truncate font-mono text-xs text-text-muted`}>
        {event.correlationId}
      </span>
      <span role="gridcell" className="text-right text-xs text-text-muted">
        <RelativeTime at={event.capturedAt} />
      </span>
    </div>
  );
});

/** A message whose variable parts step back behind what happened. */
function Message({ text }: { text: string }) {
  const parts = messageParts(text);
  if (parts.length === 0) return <span className="text-text-muted">(no message)</span>;
  return parts.map(({ text: part, varies }, index) => (
    <span key={index} className={varies ? 'text-text-muted' : ''}>
      {part}
    </span>
  ));
}
