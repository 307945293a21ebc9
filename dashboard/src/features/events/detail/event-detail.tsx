import type { Event, WholeEvent } from '../../../lib/api-types.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { JsonTree } from '../../../ui/event/json-tree.tsx';
import { LongText } from '../../../ui/event/long-text.tsx';
import { Part } from '../../../ui/event/part.tsx';
import { StackTraces } from '../../../ui/event/stack-trace.tsx';
import { ValueFilter } from '../filters/value-filter.tsx';
import { correlationName, payloadName, textOf } from '../filters/value-name.ts';
import { texts } from '../texts.ts';
import { EventFields } from './event-fields.tsx';

const MAX_MESSAGE_LENGTH = 1_000;

/** An event: its message and all of its fields. */
export function EventDetail({ event }: { event: Event & Partial<WholeEvent> }) {
  const { frames = [], causes = [], payload: whole } = event;
  const hasStack = frames.length > 0 || causes.length > 0;
  const { stack, frames: sent, causes: sentCauses, ...rest } = whole;
  // The stack trace shows all of them.
  const payload = hasStack ? rest : whole;
  return (
    <div className="space-y-4 px-4 py-3">
      <div>
        <SeverityGlyph severity={event.severity} withWord />
        <span className="text-text-muted">{texts.event.weight(event.weight)}</span>
        <p className="mt-1 text-lg">
          {event.message === '' ? (
            <span className="text-text-muted">{texts.event.noMessage}</span>
          ) : (
            <LongText text={event.message} limit={MAX_MESSAGE_LENGTH} />
          )}
        </p>
      </div>
      <EventFields event={event} />
      {hasStack && (
        <Part title={texts.event.stackTrace}>
          <StackTraces frames={frames} causes={causes} />
          <details className="mt-1 text-xs">
            <summary className="leading-6 text-text-muted hover:text-text">{texts.event.asSent}</summary>
            <JsonTree
              label={texts.event.asSent}
              value={{
                ...(stack !== undefined && { stack }),
                ...(sent !== undefined && { frames: sent }),
                ...(sentCauses !== undefined && { causes: sentCauses }),
              }}
            />
          </details>
        </Part>
      )}
      <Part title={texts.event.payload}>
        <JsonTree label={texts.event.payload} value={payload} actionsOf={filterOf(payloadName)} />
      </Part>
      {Object.keys(event.correlation).length > 0 && (
        <Part title={texts.event.correlation}>
          <JsonTree
            label={texts.event.correlation}
            value={event.correlation}
            actionsOf={filterOf(correlationName)}
          />
        </Part>
      )}
    </div>
  );
}

/** Returns a function that renders the filter buttons of a value within the event. */
function filterOf(nameOf: (path: string[], value: unknown) => string | null) {
  return (path: string[], value: unknown) => {
    const name = nameOf(path, value);
    const text = textOf(value);
    return name !== null && text !== null && <ValueFilter name={name} value={text} bare />;
  };
}
