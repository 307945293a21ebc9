import { inTransaction, type Store } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import type { Session } from '../../tenancy/session.ts';
import { findSilence, updateEnded } from './queries.ts';
import type { SilenceRow } from './rows.ts';

/**
 * Ends a silence now; one that has ended stays as it is. The worker sends what is still open.
 * @throws ApiError `not_found`
 */
export async function endSilence(store: Store, session: Session, id: string): Promise<SilenceRow> {
  const { organizationId, user } = session;
  return inTransaction(store, async (transaction) => {
    const silenceId = toUuid('sil', id);
    const silence = silenceId && (await findSilence(transaction, organizationId, silenceId, 'lock'));
    if (!silence) throw new ApiError('not_found', 'Silence not found.');
    const endedAt = new Date(transaction.now());
    if (silence.endedAt || silence.settledAt || silence.until.getTime() <= confirmedTime(transaction))
      return silence;
    await updateEnded(transaction, organizationId, { id: silence.id, endedAt, endedBy: user.id });
    await recordChange(transaction, session, {
      action: 'silence.ended',
      target: ['sil', silence.id],
      before: { until: isoTime(silence.until) },
      after: { endedAt: isoTime(endedAt), matched: silence.matched },
    });
    return { ...silence, endedAt, endedBy: user.id, endedByName: user.name };
  });
}
