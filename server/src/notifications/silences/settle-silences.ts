import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { notifiedChangeOf } from '../../incidents/notified-change.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import { matchesFields } from '../../outbox/matches-silence.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { listCoveredIncidents, listSubjectsSentSince } from './queries.ts';
import type { SilenceRow } from './rows.ts';
import { hasSilencesToSettle, lockSilenceToSettle, updateSettled } from './settle-queries.ts';

/** Maximum incidents, the newest; the delivery puts more than some messages into a digest. */
const MAX_INCIDENTS = 1_000;

/** Sent by the routes that send openings; incidents of schedules by those that send missed runs. */
const AS_OPENED = { kind: 'create', entries: [] } as const;

/**
 * Puts unresolved incidents into the outbox once a silence that covers them has ended: one message each, in their
 * state at that time, by the routes that send openings. Any number of workers: each silence is finished by one, once.
 * @returns true if there may be more to do
 */
export async function settleSilences(store: Store): Promise<boolean> {
  if (!(await hasSilencesToSettle(store.pool, new Date(confirmedTime(store.clock))))) return false;
  return inTransaction(store, async (transaction) => {
    // After every change of an incident that was decided while the silence was active.
    await lockFrames(transaction);
    const now = new Date(confirmedTime(transaction));
    const silence = await lockSilenceToSettle(transaction, now);
    if (!silence) return false;
    await updateSettled(transaction, silence.id, now);
    await enqueueChanges(transaction, await listOpenChanges(transaction, silence, now), now);
    return true;
  });
}

/** Lists the incidents to send. The outbox leaves those that another silence still covers to the end of that one. */
async function listOpenChanges(
  transaction: Transaction,
  silence: SilenceRow,
  now: Date,
): Promise<SubjectChange[]> {
  const covered = await listCoveredIncidents(transaction, silence.organizationId, silence.id, MAX_INCIDENTS);
  // A change for the worse, for example, was sent already.
  const incidents = covered.filter((incident) => matchesFields(silence, { ...incident, groupId: null }));
  const ids = incidents.map(({ id }) => id);
  const endedAt = silence.endedAt ?? silence.until;
  // A message was sent after the end already, such as a change for the worse.
  const sent = new Set(await listSubjectsSentSince(transaction, silence.organizationId, ids, endedAt));
  return incidents
    .filter(({ id }) => !sent.has(id))
    .toReversed()
    .flatMap((incident) => notifiedChangeOf(AS_OPENED, { ...incident, updatedAt: now }) ?? []);
}
