import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { listLateSources } from '../incidents/late-source-queries.ts';
import { findExclusion } from './exclusion-queries.ts';
import type { RiskState } from './schema.ts';

export async function readRiskState(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<RiskState> {
  const exclusion = await findExclusion(database, organizationId, projectId, now);
  const lateSources = await listLateSources(database, organizationId, projectId);
  return {
    paused: exclusion && {
      failedAt: isoTime(exclusion.failedAt),
      retryAt: isoTime(exclusion.retryAt),
      failures: exclusion.failures,
    },
    lateSources: lateSources.map(({ source, behindMs, since }) => ({
      source,
      behindSeconds: Math.round(behindMs / 1_000),
      since: isoTime(since),
    })),
  };
}
