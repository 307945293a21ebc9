import type { Store } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { toApiError } from '../../http/error-handling.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { createCheckInPace } from '../../schedules/check-in-pace.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { sentryClaimKey } from '../intake/idempotency.ts';
import type { ItemCounts } from '../intake/item-counts.ts';
import { reasonOf } from '../intake/refusal-reasons.ts';
import type { Connection } from '../intake/waiting-lines.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { TakenEvents } from '../quotas/taken-events.ts';
import { acceptOrSpool, type SpoolDependencies } from '../spool/accept-or-spool.ts';
import { type Dsn, findDsnOwner, requireDsnOwner } from './dsn.ts';
import type { EncodedContent } from './encode-content.ts';
import { ENVELOPE_ERRORS } from './errors.ts';
import { MAX_START_WAIT_MS, recordRun } from './record-run.ts';

export interface EnvelopeDependencies extends SpoolDependencies, Store {
  authentication: KeyAuthentication;
  counts: ItemCounts;
  quotas: Quotas;
}

export interface EnvelopeSender {
  dsn: Dsn;
  connection: Connection;
  receivedAtMs: number;
  /** Time for which it waits for a place: its client would lose it by a refusal. */
  patienceMs: number;
  taken: TakenEvents;
}

/** Content of a request that was made durable. */
export interface KeptContent {
  /** Id of its event; null: it has none. */
  id: string | null;
  /** Refusal of the request; null: a part of it is kept, or nothing of it is refused. */
  refusal: ApiError | null;
}

/** Returns the function that makes the content of a request durable. What is refused of it is counted. */
export function createKeep(dependencies: EnvelopeDependencies) {
  const { authentication, clock, counts } = dependencies;
  const assertPace = createCheckInPace(clock);
  return async (
    { texts, firstId, checkIns, unstored, refusal, ...kept }: EncodedContent,
    { dsn, connection, receivedAtMs, patienceMs, taken }: EnvelopeSender,
  ): Promise<KeptContent> => {
    const owner = await findDsnOwner(authentication, dsn);
    const { projectId } = owner;
    if (firstId !== null) {
      const claim =
        kept.ownsId && kept.eventId !== null
          ? { key: sentryClaimKey(kept.eventId), jobId: firstId, answer: null }
          : null;
      const sender = { owner, connection, patienceMs, taken };
      const request = { events: texts, claim, eventId: firstId, receivedAtMs, spoolAfterMs: 0 };
      const isRepeat = (await acceptOrSpool(dependencies, sender, request)) !== null;
      if (isRepeat) return { id: kept.eventId, refusal: null };
    }
    const refused = [...unstored];
    let isKept = firstId !== null;
    let firstRefusal = refusal;
    const patience = { leftMs: MAX_START_WAIT_MS };
    let lost: unknown = null;
    for (const checkIn of checkIns)
      try {
        if (lost !== null) throw lost;
        assertPace(`${projectId} ${checkIn.slug}`);
        await recordRun(dependencies, owner, checkIn, { receivedAtMs, patience });
        isKept = true;
      } catch (error) {
        // A database that does not take one is not asked for each of the others.
        if (isUnavailable(error)) lost = error;
        else if (!(error instanceof ApiError) || error.kind === ENVELOPE_ERRORS.invalid_dsn) throw error;
        const found = toApiError(error);
        refused.push({ kind: 'monitor', reason: reasonOf(found), quantity: 1 });
        firstRefusal ??= found;
      }
    // The commits of events and check-ins have asked if the key is valid.
    if (!isKept) await requireDsnOwner(authentication, dsn);
    for (const items of refused) counts.note({ projectId, ...items });
    const id = kept.eventId ?? (kept.ownsId ? newUuid(receivedAtMs).replaceAll('-', '') : null);
    return { id, refusal: isKept ? null : firstRefusal };
  };
}
