import type { ReactNode } from 'react';
import type { Event } from '../../../lib/api-types.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { JsonTree } from '../../../ui/event/json-tree.tsx';
import { LongText } from '../../../ui/event/long-text.tsx';
import { readFrames } from '../../../ui/event/read-frames.ts';
import { StackTrace } from '../../../ui/event/stack-trace.tsx';
import type { ChangeSearch } from '../filters/use-event-search.ts';
import { EventActions } from './event-actions.tsx';
import { EventFields } from './event-fields.tsx';

const MAX_MESSAGE_LENGTH = 1_000;

/** An event: its message, its actions and all of its fields. */
export function EventDetail({ event, onFilter }: { event: Event; onFilter: ChangeSearch }) {
  const frames = readFrames(event.payload);
  return (
    <div className="space-y-4 px-4 py-3">
      <div>
        <SeverityGlyph severity={event.severity} withWord />
        <p className="mt-1 text-lg">
          {event.message === '' ? (
            <span className="text-text-muted">(no message)</span>
          ) : (
            <LongText text={event.message} limit={MAX_MESSAGE_LENGTH} />
          )}
        </p>
      </div>
      <EventActions event={event} onFilter={onFilter} />
      <EventFields event={event} onFilter={onFilter} />
      {frames.length > 0 && (
        <Part title="Stack trace">
          <StackTrace frames={frames} />
        </Part>
      )}
      <Part title="Payload">
        <JsonTree label="Payload" value={event.payload} />
      </Part>
      {Object.keys(event.correlation).length > 0 && (
        <Part title="Correlation">
          <JsonTree label="Correlation" value={event.correlation} />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {children}
    </div>
  );
}
