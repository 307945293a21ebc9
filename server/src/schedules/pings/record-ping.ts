import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { type ScrubSettings, scrub } from '../../scrubbing/scrub.ts';
import { findPingKey } from '../../tenancy/api-keys/queries.ts';
import { hashSecret, isWellFormedSecret } from '../../tenancy/secret-format.ts';
import { CREATED_BY_PING } from '../limits.ts';
import { isPingAddress, lockScheduleByPing } from '../ping-queries.ts';
import { lockScheduleBySlug } from '../queries.ts';
import { declareSchedule, recordReport } from '../record-check-in.ts';
import type { ScheduleRow } from '../rows.ts';
import type { Report } from '../schedule-state.ts';
import { type PingAddress, unknownPing } from './read-ping.ts';

export interface RecordedPing {
  schedule: ScheduleRow;
  /** True if the ping created the schedule. */
  isNew: boolean;
  /** UUID of the ping key; null: the schedule has an address of its own. */
  keyId: string | null;
}

/**
 * Checks the secret of a ping address for requests whose body is still to come.
 * @throws ApiError `not_found`
 */
export async function assertPingAddress(
  { pool }: Pick<Store, 'pool'>,
  { token, slug }: PingAddress,
): Promise<void> {
  const hash = hashSecret(token);
  const isKnown =
    slug === null
      ? isWellFormedSecret('tsn_ping_', token) && (await isPingAddress(pool, hash))
      : (await findPingKey(pool, hash)) !== null;
  if (!isKnown) throw unknownPing();
}

export interface PingStore extends Store {
  /** Choices of a project about secrets, by its UUID. */
  scrubSettingsOf: (projectId: string) => ScrubSettings;
}

/**
 * Records durably what a job reports by a ping; secrets in its output are replaced.
 * @param creates true: a schedule that the project does not have is created
 * @throws ApiError `not_found`, `limit_reached`
 */
export async function recordPing(
  { scrubSettingsOf, ...store }: PingStore,
  { token, slug }: PingAddress,
  report: Report,
  creates: boolean,
): Promise<RecordedPing> {
  return inTransaction(store, async (transaction) => {
    const found =
      slug === null
        ? await findByToken(transaction, token)
        : await findByKey(transaction, { key: token, slug, creates });
    const { fields } = scrub(report, scrubSettingsOf(found.schedule.projectId));
    return { ...found, schedule: await recordReport(transaction, found.schedule, fields) };
  });
}

async function findByToken(transaction: Transaction, token: string): Promise<RecordedPing> {
  const schedule = await lockScheduleByPing(transaction, hashSecret(token));
  if (!schedule) throw unknownPing();
  return { schedule, isNew: false, keyId: null };
}

async function findByKey(
  transaction: Transaction,
  { key, slug, creates }: { key: string; slug: string; creates: boolean },
): Promise<RecordedPing> {
  const owner = await findPingKey(transaction, hashSecret(key));
  if (!owner) throw unknownPing();
  const { projectId, keyId } = owner;
  const known = await lockScheduleBySlug(transaction, projectId, slug);
  if (known) return { schedule: known, isNew: false, keyId };
  if (!creates) {
    const detail = `The project has no schedule “${slug}”: create it, or add “?create=1”.`;
    throw new ApiError('not_found', detail);
  }
  return { ...(await declareSchedule(transaction, { projectId, slug, known }, CREATED_BY_PING)), keyId };
}
