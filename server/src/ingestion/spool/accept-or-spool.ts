import { isConnectionLost } from '../../database/sql-state.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Claim } from '../../queue/queue.ts';
import { type AcceptDependencies, acceptEvents, type Sender } from '../intake/accept.ts';
import type { Outage } from './outage.ts';
import type { SpoolRecord } from './record.ts';
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
export function acceptOrSpool(
  dependencies: SpoolDependencies,
  { taken, ...sender }: Sender,
  request: SpoolableRequest,
): Promise<Claim | null> {
  // Around both ways: what the disk keeps has been accepted.
  const add = () => addOrSpool(dependencies, sender, request);
  return taken ? taken.settle(request.events.length, add) : add();
}

async function addOrSpool(
  dependencies: SpoolDependencies,
  sender: Sender,
  request: SpoolableRequest,
): Promise<Claim | null> {
  const { spooling } = dependencies;
  const { events, eventId, receivedAtMs, spoolAfterMs } = request;
  if (!spooling) return acceptEvents(dependencies, sender, events, request.claim);
  // A commit whose answer is lost has claimed it, so that what is kept then is recognised.
  const claim = request.claim ?? toSpoolClaim(eventId, receivedAtMs);
  const { keyId, projectId } = sender.owner;
  const record = {
    receivedAt: new Date(receivedAtMs).toISOString(),
    item: { projectId, keyId, events, claim },
  };
  return orSpool(spooling, { record, spoolAfterMs }, () => acceptEvents(dependencies, sender, events, claim));
}

/** Returns a claim for what would have none. */
export function toSpoolClaim(jobId: string, receivedAtMs: number): Claim {
  return { key: `spool:${newUuid(receivedAtMs)}`, jobId, answer: null };
}

/**
 * Makes a request durable whose sender would not repeat it: by `work`, or on disk while the database is lost.
 * @param spoolAfterMs duration of an outage from which on it goes to the spool, in milliseconds
 * @returns the result of `work`; null: the record was kept on disk
 * @throws as `work`
 */
export async function orSpool<T>(
  spooling: Spooling,
  { record, spoolAfterMs }: { record: SpoolRecord; spoolAfterMs: number },
  work: () => Promise<T>,
): Promise<T | null> {
  const { outage } = spooling;
  outage.watchKey(record.item.keyId);
  const isSpooled = () => outage.durationMs !== null && outage.durationMs >= spoolAfterMs;
  if (isSpooled() && (await keep(spooling, record))) return null;
  try {
    return await work();
  } catch (error) {
    if (!isLoss(error) || !isSpooled() || !(await keep(spooling, record))) throw error;
    return null;
  }
}

/** True if the database is lost, rather than the intake full or the client gone. */
function isLoss(error: unknown): boolean {
  return isConnectionLost(error instanceof ApiError ? error.cause : error);
}

/** @returns false if it is not kept: the key is not known to be valid, or there is no room */
async function keep({ spool, outage }: Spooling, record: SpoolRecord): Promise<boolean> {
  if (!outage.knewKey(record.item.keyId)) return false;
  try {
    await spool.append(record);
    return true;
  } catch (error) {
    if (error instanceof SpoolError) return false;
    throw error;
  }
}
