import { toId } from '../../platform/ids.ts';
import type { AcceptedEvent } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { type AcceptDependencies, acceptObservation, type Receipt, type Sender } from '../intake/accept.ts';
import type { QuotaOwner, Quotas } from './quotas.ts';

export interface LimitedDependencies extends AcceptDependencies {
  quotas: Quotas;
}

/** Kind under which refused events of an application are counted. */
export const EVENT_KIND = 'event';

interface LimitedReceipt extends Receipt {
  /** Finds the job of the request that this one repeats, if it is refused otherwise; absent: it repeats none. */
  findRepeat?: () => Promise<string | null>;
}

/**
 * Makes an observation durable, within the quotas of its key and project; a repeat needs nothing of them.
 * @throws ApiError `over_quota`, or as `acceptObservation`
 */
export function acceptLimited(
  dependencies: LimitedDependencies,
  sender: Sender & { owner: QuotaOwner },
  observation: Observation,
  receipt: LimitedReceipt,
): Promise<AcceptedEvent> {
  const isLimited = dependencies.quotas.isLimited(sender.owner);
  const accept = isLimited ? takeAndAccept : acceptObservation;
  return accept(dependencies, sender, observation, receipt);
}

async function takeAndAccept(
  dependencies: LimitedDependencies,
  sender: Sender & { owner: QuotaOwner },
  observation: Observation,
  receipt: LimitedReceipt,
): Promise<AcceptedEvent> {
  const { quotas } = dependencies;
  let taken = await quotas.takeLeft(sender.owner, 1);
  if (taken.events === 0) {
    const repeated = await receipt.findRepeat?.();
    if (repeated) return { jobId: toId('job', repeated), status: 'queued' };
    taken = await quotas.takeSome(sender.owner, 1, EVENT_KIND);
  }
  return acceptObservation(dependencies, { ...sender, taken }, observation, receipt);
}
