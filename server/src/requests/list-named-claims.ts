import { ALERT_ORIGINS, hashGroup } from '../alerts/notice.ts';
import type { Queryable } from '../database/database.ts';
import {
  alertClaimPrefix,
  cloudEventClaimPrefix,
  hookClaimKey,
  idempotencyClaimKey,
  paymentClaimKey,
  sentryClaimKey,
} from '../ingestion/intake/idempotency.ts';
import { listHooks } from '../tenancy/api-keys/hooks/queries.ts';
import { type ClaimRow, listClaims, listGroupFingerprints } from './queries.ts';

/** Project that was checked before. */
interface SearchedProject {
  id: string;
  organizationId: string;
}

const MAX_CLAIMS = 11;
/** Maximum alerts of a group whose events are found by its key: those that it listed last. */
const MAX_ALERTS = 20;

const UUID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;

/** Lists the claims of an id that a sender gave its requests, the newest first. */
export async function listNamedClaims(
  database: Queryable,
  { id: projectId, organizationId }: SearchedProject,
  id: string,
): Promise<ClaimRow[]> {
  const groups = ALERT_ORIGINS.map((origin) => Buffer.from(hashGroup(origin, id), 'hex'));
  const [hooks, alerts] = await Promise.all([
    listHooks(database, organizationId, projectId),
    listGroupFingerprints(database, projectId, groups, MAX_ALERTS),
  ]);
  const uuid = readPlainUuid(id);
  const ofHooks = [{ id: '', kind: 'stripe' }, { id: '', kind: 'github' }, ...hooks];
  const keys = [
    idempotencyClaimKey(id),
    paymentClaimKey(id),
    ...(uuid === null ? [] : [sentryClaimKey(uuid)]),
    ...ofHooks.map((hook) => hookClaimKey(hook, id)),
  ];
  const prefixes = [id, ...alerts].flatMap((fingerprint) => [
    alertClaimPrefix(fingerprint, 'firing'),
    alertClaimPrefix(fingerprint, 'resolved'),
  ]);
  return listClaims(
    database,
    projectId,
    { keys, prefixes: [cloudEventClaimPrefix(id), ...prefixes] },
    MAX_CLAIMS,
  );
}

/** Returns a UUID without its dashes; null: it is none. */
export function readPlainUuid(id: string): string | null {
  return UUID.test(id) ? id.replaceAll('-', '').toLowerCase() : null;
}
