import { withQuery } from '../../lib/api.ts';
import type { EventFilterParameters } from '../../lib/api-types.ts';
import { DropDown } from '../../ui/controls/drop-down.tsx';

/** Files of all events that match the filters of the list. */
export function ExportMenu({ filter }: { filter: EventFilterParameters }) {
  return (
    <DropDown label="Export">
      {(close) => (
        <>
          <p className="px-2 py-1 text-xs text-text-muted">
            All events that match the filters, newest first, up to 100,000
          </p>
          {(['csv', 'ndjson'] as const).map((format) => (
            <a
              key={format}
              href={withQuery('/events/export', { ...filter, format })}
              download
              onClick={close}
              className="rounded px-2 py-1.5 text-sm hover:bg-hover"
            >
              {format.toUpperCase()}
            </a>
          ))}
        </>
      )}
    </DropDown>
  );
}
