import { useState } from 'react';
import { queryClient } from '../../../lib/queries.ts';
import { useMessages } from '../../../lib/realtime.ts';
import { throttle } from '../../../lib/throttle.ts';
import { eventsBehindKey, groupsBehindKey } from '../queries.ts';

/** Minimum interval between renewals: one reads five hundred events and a chart. */
const RENEWAL_MS = 3_000;

/** Reads the events behind an incident again when it says that it has more. */
export function useEventRenewal(incidentId: string): void {
  const [renewals] = useState(() => new Map<string, () => void>());
  useMessages((message) => {
    if (message.event !== 'incident_created' && message.event !== 'incident_updated') return;
    if (message.data.id !== incidentId) return;
    const renew =
      renewals.get(incidentId) ??
      throttle(async () => {
        await Promise.all(
          [eventsBehindKey(incidentId), groupsBehindKey(incidentId)].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        );
      }, RENEWAL_MS);
    renewals.set(incidentId, renew);
    renew();
  });
}
