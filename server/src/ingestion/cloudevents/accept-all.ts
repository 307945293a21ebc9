import type { Claim } from '../../queue/queue.ts';
import { acceptEvents, type Sender } from '../intake/accept.ts';
import { EVENT_KIND, type LimitedDependencies } from '../quotas/accept-limited.ts';
import type { QuotaOwner } from '../quotas/quotas.ts';

/** Events of a batch that wait for a commit at the same time. */
const MAX_AT_ONCE = 64;

export interface EncodedEvent {
  text: string;
  claim: Claim;
}

/**
 * Makes the events of a request durable. Repeats give back what they took from a quota, so that it is taken in rounds: a
 * batch that is larger than a quota gets further each time that it is sent.
 * @returns the job of the first event; null: there is none
 * @throws ApiError `over_quota` once nothing is left of a quota, or as `acceptEvents`; a part may be stored
 */
export async function acceptAll(
  dependencies: LimitedDependencies,
  sender: Sender & { owner: QuotaOwner },
  events: readonly EncodedEvent[],
): Promise<string | null> {
  let firstJob: string | null = null;
  for (let done = 0; done < events.length; ) {
    const taken = await dependencies.quotas.takeSome(sender.owner, events.length - done, EVENT_KIND);
    const end = done + taken.events;
    try {
      while (done < end) {
        const sent = events.slice(done, Math.min(end, done + MAX_AT_ONCE));
        done += sent.length;
        const earlier = await Promise.all(
          sent.map(({ text, claim }) => acceptEvents(dependencies, { ...sender, taken }, [text], claim)),
        );
        firstJob ??= earlier[0]?.jobId ?? sent[0]?.claim.jobId ?? null;
      }
    } finally {
      // Where an event fails, the ones behind it are not sent.
      taken.giveBack(end - done);
    }
  }
  return firstJob;
}
