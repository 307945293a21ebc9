import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { listLateSources } from '../incidents/late-source-queries.ts';
import type { RiskState } from './schema.ts';
import { findSetAside } from './set-aside-queries.ts';

export async function readRiskState(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<RiskState> {
  const setAside = await findSetAside(database, organizationId, projectId, now);
  const lateSources = await listLateSources(database, organizationId, projectId);
  return {
    paused: setAside && {
      failedAt: isoTime(setAside.failedAt),
      retryAt: isoTime(setAside.retryAt),
      failures: setAside.failures,
    },
    lateSources: lateSources.map(({ source, behindMs, since }) => ({
      source,
      behindSeconds: Math.round(behindMs / 1_000),
      since: isoTime(since),
    })),
  };
}
