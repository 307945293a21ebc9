import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { insertBatch } from '../../queue/queries.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockOrganization } from '../../tenancy/organizations/queries.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { DEAD_LETTER_ERRORS } from './errors.ts';
import {
  countLeft,
  type DeadLetterFilter,
  hasUnfinishedErasure,
  takeDeadLetters,
  updateDeadInLedgers,
} from './queries.ts';

/** Bounds of a transaction, and of the batch that it queues. */
const BOUNDS = { maxLetters: 500, maxBytes: 2 * 1024 * 1024 };

export interface TakenCounts {
  /** Number of dead letters. */
  count: number;
  /** Number of those that the filter still finds, up to a limit. */
  left: number;
  until: Date;
}

/**
 * Queues dead letters of a project again, as events that waited: detection does not evaluate them. One transaction moves
 * letters, ledger and queue, so that each is queued once, also by two requests. An event that is refused again is a
 * dead letter with a new reason.
 * @throws ApiError `not_found`: the project; `erasure_unfinished`
 */
export function replayDeadLetters(
  store: Store,
  session: Session,
  projectId: string,
  filter: DeadLetterFilter,
): Promise<TakenCounts> {
  return take(store, session, projectId, { filter, outcome: 'replayed' });
}

/** Deletes dead letters of a project, which the ledger counts as dropped. @throws ApiError `not_found`: the project */
export function discardDeadLetters(
  store: Store,
  session: Session,
  projectId: string,
  filter: DeadLetterFilter,
): Promise<TakenCounts> {
  return take(store, session, projectId, { filter, outcome: 'discarded' });
}

interface Taking {
  filter: DeadLetterFilter;
  outcome: 'replayed' | 'discarded';
}

async function take(
  store: Store,
  session: Session,
  id: string,
  { filter, outcome }: Taking,
): Promise<TakenCounts> {
  const isReadable = outcome === 'replayed';
  const { organizationId } = session;
  return inTransaction(store, async (transaction) => {
    if (isReadable) await assertNothingIsErased(transaction, organizationId);
    const project = await requireProject(transaction, organizationId, id, shareProject);
    const letters = await takeDeadLetters(transaction, project.id, filter, { ...BOUNDS, isReadable });
    const count = letters.length;
    const { left, until } = await countLeft(transaction, project.id, filter, isReadable);
    if (count > 0) {
      const events = letters.reduce((sum, letter) => sum + letter.events, 0);
      if (isReadable) await queueAgain(transaction, project.id, letters, events);
      const moved = [{ projectId: project.id, events }];
      await updateDeadInLedgers(transaction, moved, isReadable ? 'queued' : 'dropped');
      await recordChange(transaction, session, {
        action: `dead_letters.${outcome}`,
        target: ['proj', project.id],
        before: null,
        after: { count, ...rangeOf(letters), sqlState: filter.sqlState, until: isoTime(until) },
      });
    }
    return { count, left, until };
  });
}

/** Makes sure that no letter passes an erasure, which begins before or after this transaction. @throws ApiError */
async function assertNothingIsErased(transaction: Transaction, organizationId: string): Promise<void> {
  await lockOrganization(transaction, organizationId);
  if (await hasUnfinishedErasure(transaction, organizationId))
    throw new ApiError(
      DEAD_LETTER_ERRORS.erasure_unfinished,
      'Dead letters can be stored after all once the erasures of the organization are done: see GET /erasures.',
    );
}

/** The first and the last job in the order of their ids: with the filter they name all that were taken. */
function rangeOf(letters: readonly { id: string }[]): { firstJob: string | null; lastJob: string | null } {
  const jobs = letters.map(({ id }) => toId('job', id)).toSorted();
  return { firstJob: jobs[0] ?? null, lastJob: jobs.at(-1) ?? null };
}

/** The repeats of an event stay what they are: duplicates. */
async function queueAgain(
  transaction: Transaction,
  projectId: string,
  letters: { event: string }[],
  events: number,
): Promise<void> {
  await insertBatch(transaction, {
    eventsJson: `[${letters.map(({ event }) => event).join(',')}]`,
    deltas: { [projectId]: { accepted: events, duplicate: events - letters.length } },
    keyIds: [],
    isSpooled: true,
  });
}
