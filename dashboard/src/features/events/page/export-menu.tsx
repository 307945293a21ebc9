import { withQuery } from '../../../lib/api.ts';
import type { EventFilterParameters } from '../../../lib/api-types.ts';
import { Menu } from '../../../ui/controls/menu.tsx';
import { texts } from '../texts.ts';

const FORMATS = ['csv', 'ndjson'] as const;

/** Downloads of all events that match the filters of the list. */
export function ExportMenu({ filter }: { filter: EventFilterParameters }) {
  return (
    <Menu
      label={texts.exports.button}
      groups={[
        {
          heading: texts.exports.what,
          items: FORMATS.map((format) => ({
            label: format.toUpperCase(),
            link: <a href={withQuery('/events/export', { ...filter, format })} download />,
          })),
        },
      ]}
    />
  );
}
