import type { Transaction } from '../database/database.ts';
import { listUnwatchedNames } from '../environments/queries.ts';
import { lockFrames } from '../incidents/frame-queries.ts';
import { findIncident } from '../incidents/queries.ts';
import type { IncidentRow } from '../incidents/rows.ts';
import { findResolution } from '../incidents/timeline-queries.ts';
import {
  currentSources,
  type GroupState,
  isOpen,
  mergeNotice,
  NEW_GROUP,
  newestStart,
  RELATED_MS,
  reviewAtMs,
  withoutAlerts,
} from './alert-states.ts';
import type { AlertNotice, AlertOrigin, ListedAlert } from './notice.ts';
import { type AlertGroupRow, findAlertGroup, findRelatedIncident, upsertAlertGroup } from './queries.ts';
import { describeEnd } from './words.ts';
import { addToIncident, endAlerts, openAlertIncident } from './write-alerts.ts';

/** Notification that was taken out of the queue. */
export interface StoredNotice {
  organizationId: string;
  projectId: string;
  receivedMs: number;
  notice: AlertNotice;
}

/**
 * Applies notifications of alerts in the transaction that takes them out of the queue: a group leads to one incident, which
 * ends with the last of its groups.
 * @param transaction has locked the projects
 * @returns the origins of the incidents that it opened
 */
export async function applyAlerts(
  transaction: Transaction,
  notices: readonly StoredNotice[],
): Promise<AlertOrigin[]> {
  if (notices.length === 0) return [];
  await lockFrames(transaction);
  const opened: AlertOrigin[] = [];
  for (const stored of notices) if (await apply(transaction, stored)) opened.push(stored.notice.origin);
  return opened;
}

/** @returns true if it opened an incident */
async function apply(transaction: Transaction, stored: StoredNotice): Promise<boolean> {
  const { organizationId, projectId } = stored;
  const { notice, unwatched } = await leaveOutUnwatched(transaction, projectId, stored.notice);
  const keyHash = Buffer.from(notice.groupHash, 'hex');
  const row = await findAlertGroup(transaction, projectId, keyHash);
  const before = row ? stateOf(row) : NEW_GROUP;
  // A clock of ingestion that is ahead must not put reviews off.
  const receivedAtMs = Math.min(stored.receivedMs, transaction.now());
  const { state, started } = mergeNotice(withoutAlerts(before, unwatched), notice, receivedAtMs);
  const { incidentId, isNew } = await leadToIncident(
    transaction,
    { ...stored, notice },
    { row, before, started },
  );
  const hasStarted = started.length > 0;
  await upsertAlertGroup(transaction, {
    ...columnsOf(state),
    projectId,
    keyHash,
    origin: notice.origin,
    incidentId,
    firedAt: hasStarted ? new Date(transaction.now()) : (row?.firedAt ?? null),
    receivedAt: new Date(state.receivedAtMs ?? receivedAtMs),
  });
  if (incidentId !== null && isOpen(before) && !isOpen(state))
    await endAlerts(transaction, organizationId, { incidentId, reason: describeEnd(notice.origin) });
  return isNew;
}

/**
 * Splits off the alerts of environments that are not watched. They open nothing and hold no incident, and are unknown
 * once they are watched.
 */
async function leaveOutUnwatched(
  transaction: Transaction,
  projectId: string,
  notice: AlertNotice,
): Promise<{ notice: AlertNotice; unwatched: ListedAlert[] }> {
  const environments = new Set(notice.listed.map(({ environment }) => environment));
  const names = await listUnwatchedNames(transaction, projectId, [...environments]);
  const isUnwatched = ({ environment }: ListedAlert) => names.has(environment);
  return {
    notice: { ...notice, listed: notice.listed.filter((alert) => !isUnwatched(alert)) },
    unwatched: notice.listed.filter(isUnwatched),
  };
}

/** Leads the alerts that began to fire to the incident of their group, to a related one, or to one of their own. */
async function leadToIncident(
  transaction: Transaction,
  { organizationId, projectId, notice }: StoredNotice,
  { row, before, started }: { row: AlertGroupRow | null; before: GroupState; started: ListedAlert[] },
): Promise<{ incidentId: string | null; isNew: boolean }> {
  const own = row?.incidentId
    ? await findIncident(transaction, organizationId, row.incidentId, 'lock')
    : null;
  const isOver = own === null || own.status === 'resolved';
  const startsAfterMs =
    own && isOver && (await isResolvedByPerson(transaction, own)) ? newestStart(before) : -1;
  const alerts = {
    organizationId,
    projectId,
    notice,
    started: started.filter((alert) => alert.startsAtMs > startsAfterMs),
  };
  if (alerts.started.length === 0) return { incidentId: row?.incidentId ?? null, isNew: false };
  if (own && !isOver) {
    const news = started.filter(({ fingerprint }) => !Object.hasOwn(before.alerts, fingerprint));
    await addToIncident(transaction, own, alerts, news);
    return { incidentId: own.id, isNew: false };
  }
  const sources = [...new Set(alerts.started.flatMap(({ source }) => source ?? []))];
  const since = new Date(transaction.now() - RELATED_MS);
  const related = await findRelatedIncident(transaction, organizationId, { projectId, sources, since });
  if (related) {
    await addToIncident(transaction, related, alerts, alerts.started);
    return { incidentId: related.id, isNew: false };
  }
  const { id } = await openAlertIncident(transaction, alerts, own?.id ?? null);
  return { incidentId: id, isNew: true };
}

async function isResolvedByPerson(transaction: Transaction, incident: IncidentRow): Promise<boolean> {
  const resolution = await findResolution(transaction, incident.id);
  return resolution !== null && resolution.userId !== null;
}

/** The state that a row holds. */
export function stateOf({ alerts, isTruncated, receivedAt, repeatMs }: AlertGroupRow): GroupState {
  return { alerts, isTruncated, receivedAtMs: receivedAt.getTime(), repeatMs };
}

/** The columns that follow from a state. */
export function columnsOf(state: GroupState) {
  const reviewAt = reviewAtMs(state);
  return {
    alerts: state.alerts,
    sources: currentSources(state),
    isOpen: isOpen(state),
    isTruncated: state.isTruncated,
    repeatMs: state.repeatMs,
    reviewAt: reviewAt === null ? null : new Date(reviewAt),
  };
}
