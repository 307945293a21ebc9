import type { Queryable } from '../database/database.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { listRequestCounts, listRequestHours, listSamples, type RequestCountRow } from './queries.ts';
import type { ProjectRequests } from './schema.ts';

type KeyRequests = ProjectRequests['keys'][number];

/** Describes the requests of the last 24 hours of a checked project. */
export async function describeRequests(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ProjectRequests> {
  const [counts, hours, samples] = await Promise.all([
    listRequestCounts(database, organizationId, projectId),
    listRequestHours(database, organizationId, projectId),
    listSamples(database, organizationId, projectId, null),
  ]);
  return {
    keys: groupByKey(counts),
    hours: hours.map(({ at, ...hour }) => ({ at: isoTime(at), ...hour })),
    newest: samples.map(({ at, ...sample }) => ({ at: isoTime(at), ...sample })),
  };
}

function groupByKey(rows: readonly RequestCountRow[]): KeyRequests[] {
  const byKey = new Map<string, KeyRequests>();
  for (const { protocol, keyId, keyName, keyPrefix, isRevoked, reason, quantity, lastAt } of rows) {
    const key = `${protocol} ${keyId}`;
    const line = byKey.get(key) ?? {
      protocol,
      keyId: keyId && toId('key', keyId),
      keyName,
      keyPrefix,
      isRevoked,
      accepted: 0,
      lastAcceptedAt: null,
      refused: 0,
      refusals: [],
    };
    byKey.set(key, line);
    if (reason === null) {
      line.accepted = quantity;
      line.lastAcceptedAt = isoTime(lastAt);
    } else {
      line.refused += quantity;
      line.refusals.push({ reason, quantity, lastAt: isoTime(lastAt) });
    }
  }
  return [...byKey.values()];
}
