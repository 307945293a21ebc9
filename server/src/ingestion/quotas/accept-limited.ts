import type { AcceptedEvent } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { type AcceptDependencies, acceptObservation, type Receipt, type Sender } from '../intake/accept.ts';
import type { QuotaOwner, Quotas } from './quotas.ts';

export interface LimitedDependencies extends AcceptDependencies {
  quotas: Quotas;
}

/** Kind under which refused events of an application are counted. */
export const EVENT_KIND = 'event';

/**
 * Makes an observation durable, within the quotas of its key and project.
 * @throws ApiError `over_quota`, or as `acceptObservation`
 */
export function acceptLimited(
  dependencies: LimitedDependencies,
  sender: Sender & { owner: QuotaOwner },
  observation: Observation,
  receipt: Receipt,
): Promise<AcceptedEvent> {
  const { quotas } = dependencies;
  if (!quotas.isLimited(sender.owner)) return acceptObservation(dependencies, sender, observation, receipt);
  return quotas.take(sender.owner, 1, EVENT_KIND).then((taken) => {
    taken.assertSome();
    return acceptObservation(dependencies, { ...sender, taken }, observation, receipt);
  });
}
