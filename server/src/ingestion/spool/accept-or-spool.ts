import { isConnectionLost } from '../../database/sql-state.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Claim } from '../../queue/queue.ts';
import { type AcceptDependencies, acceptEvents, type Sender } from '../intake/accept.ts';
import type { Outage } from './outage.ts';
import { type Spool, SpoolError } from './spool.ts';

/** Spool of a process, and what tells when it is used. */
export interface Spooling {
  spool: Spool;
  outage: Outage;
}

export interface SpoolDependencies extends AcceptDependencies {
  /** Null: this process keeps nothing on disk. */
  spooling: Spooling | null;
}

export interface SpoolableRequest {
  /** Events as JSON texts; at least one. */
  events: string[];
  claim: Claim | null;
  /** Id of the first event. UUID. */
  eventId: string;
  receivedAtMs: number;
  /** Duration of an outage from which on the request goes to the spool, in milliseconds. */
  spoolAfterMs: number;
}

/**
 * Makes the events of a request durable whose sender would not repeat it: in the queue, or on disk while the database
 * is lost.
 * @returns the earlier claim if the request is a repeat, of which nothing was added; a repeat of what waits on disk is
 * recognised when it is drained
 * @throws ApiError as `acceptEvents`; also in an outage if the key was not seen to be valid shortly before, or the disk
 * does not take it
 */
export async function acceptOrSpool(
  dependencies: SpoolDependencies,
  sender: Sender,
  request: SpoolableRequest,
): Promise<Claim | null> {
  const { spooling } = dependencies;
  const { events, eventId, receivedAtMs } = request;
  if (!spooling) return acceptEvents(dependencies, sender, events, request.claim);
  const { outage } = spooling;
  outage.watchKey(sender.owner.keyId);
  // A commit whose answer is lost has claimed it, so that what is kept then is recognised.
  const claim = request.claim ?? { key: `spool:${newUuid(receivedAtMs)}`, jobId: eventId, answer: null };
  if (isSpooled(outage, request) && (await keep(spooling, sender, { ...request, claim }))) return null;
  try {
    return await acceptEvents(dependencies, sender, events, claim);
  } catch (error) {
    if (!isLoss(error) || !isSpooled(outage, request)) throw error;
    if (!(await keep(spooling, sender, { ...request, claim }))) throw error;
    return null;
  }
}

function isSpooled(outage: Outage, { spoolAfterMs }: SpoolableRequest): boolean {
  const { durationMs } = outage;
  return durationMs !== null && durationMs >= spoolAfterMs;
}

/** True if the database is lost, rather than the intake full or the client gone. */
function isLoss(error: unknown): boolean {
  return error instanceof ApiError && isConnectionLost(error.cause);
}

/** @returns false if it is not kept: the key is not known to be valid, or there is no room */
async function keep(
  { spool, outage }: Spooling,
  { owner: { keyId, projectId } }: Sender,
  { events, claim, receivedAtMs }: SpoolableRequest & { claim: Claim },
): Promise<boolean> {
  if (!outage.knewKey(keyId)) return false;
  const receivedAt = new Date(receivedAtMs).toISOString();
  try {
    await spool.append({ receivedAt, item: { projectId, keyId, events, claim } });
    return true;
  } catch (error) {
    if (error instanceof SpoolError) return false;
    throw error;
  }
}
