import type { Queryable } from '../platform/database.ts';
import { isoTime } from '../platform/time.ts';
import type { RiskState } from './schema.ts';
import { findSetAside } from './set-aside-queries.ts';

export async function readRiskState(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<RiskState> {
  const setAside = await findSetAside(database, organizationId, projectId, now);
  return {
    setAside: setAside && {
      failedAt: isoTime(setAside.failedAt),
      retryAt: isoTime(setAside.retryAt),
      failures: setAside.failures,
    },
  };
}
