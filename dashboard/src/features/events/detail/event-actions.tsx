import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../../lib/api-types.ts';
import { serviceQuery } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { type ChangeSearch, NO_FILTERS } from '../filters/use-event-search.ts';
import { curlCommand } from './curl-command.ts';

/** From one event to its relatives, and out of the page. */
export function EventActions({ event, onFilter }: { event: Event; onFilter: ChangeSearch }) {
  const { data: service } = useQuery(serviceQuery);
  const { correlationId, fingerprint } = event;
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => onFilter({ ...NO_FILTERS, correlation_id: correlationId })}>
        Same correlation
      </Button>
      <Button onClick={() => onFilter({ ...NO_FILTERS, fingerprint })}>Same fingerprint</Button>
      <CopyButton label="Copy as JSON" text={() => JSON.stringify(event, null, 2)} />
      {service && <CopyButton label="Copy as curl" text={() => curlCommand(event, service.ingestUrl)} />}
    </div>
  );
}
