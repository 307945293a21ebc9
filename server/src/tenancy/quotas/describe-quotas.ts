import type { Queryable } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { BROWSER_QUOTA, NO_QUOTA, QUOTA_LIMITS, QUOTA_PERIODS, type Quota } from '../api-keys/quota.ts';
import {
  type ExceededLimit,
  findQuota,
  findUsualMaxima,
  type LimitedKey,
  listExceededLimits,
  listLimitedKeys,
} from './queries.ts';
import type { ProjectQuotas } from './schema.ts';

/** Days of the past from which a quota is suggested. */
const PAST_DAYS = 30;
/** Room that a suggestion leaves above the past. */
const ROOM = 5;

export async function describeQuotas(
  database: Queryable,
  organizationId: string,
  projectId: string,
  nowMs: number,
): Promise<ProjectQuotas> {
  const [now, since] = [new Date(nowMs), new Date(nowMs - PAST_DAYS * DAY_MS)];
  const quota = await findQuota(database, organizationId, { projectId, keyId: null });
  const maxima = await findUsualMaxima(database, organizationId, projectId, { since, now });
  const keys = await listLimitedKeys(database, organizationId, projectId);
  const exceeded = await listExceededLimits(database, organizationId, projectId, now);
  return {
    quota: quota ?? NO_QUOTA,
    suggested: suggest(maxima),
    keys: keys.map((key) => ({
      id: toId('key', key.id),
      name: key.name,
      quota: key.quota ?? defaultQuotaOf(key),
      isChosen: key.quota !== null,
    })),
    exceeded: exceeded.map(describeExceeded),
  };
}

/** Returns the quota of a key for which none is chosen. */
export function defaultQuotaOf({ use }: Pick<LimitedKey, 'use'>): Quota {
  return use === 'browser' ? BROWSER_QUOTA : NO_QUOTA;
}

function suggest(maxima: Quota): Quota {
  const [per5Minutes, perHour, perDay] = QUOTA_LIMITS.map((name) => withRoom(maxima[name]));
  return { per5Minutes: per5Minutes ?? null, perHour: perHour ?? null, perDay: perDay ?? null };
}

/** Returns a multiple, rounded up to two digits. */
function withRoom(usual: number | null): number | null {
  if (usual === null) return null;
  const events = Math.max(1, ROOM * usual);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(events)) - 1);
  return Math.ceil(events / step) * step;
}

function describeExceeded({ keyId, keyName, seconds, since, refused }: ExceededLimit) {
  return {
    key: keyId === null ? null : { id: toId('key', keyId), name: keyName ?? '' },
    limit: QUOTA_LIMITS.find((name) => QUOTA_PERIODS[name] === seconds * 1_000) ?? 'per5Minutes',
    since: isoTime(since),
    refused,
  };
}
