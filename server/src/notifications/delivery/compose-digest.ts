import type { Queryable } from '../../database/database.ts';
import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { Digest } from '../messages/message.ts';
import { findMessageProject, listIncidentsById } from '../messages/message-queries.ts';
import { digestMessage, type MessageContext } from '../messages/subject-messages.ts';
import { countMessages } from '../routing/describe-route.ts';
import type { ComposedMessage, MessageInput } from './message-input.ts';
import { listDigestSubjects, type WaitingRow } from './queries.ts';

const MAX_LISTED = 10;
/** Maximum incidents of a digest whose states programs receive. */
const MAX_OTHERS = 1_000;

export async function composeDigest(
  database: Queryable,
  row: WaitingRow,
  context: MessageContext,
  { target, links, routes, now }: MessageInput,
): Promise<ComposedMessage | null> {
  const said = await listDigestSubjects(database, target.id, row.subjectId);
  if (said.length === 0) return null;
  const ids = said.map(({ subjectId }) => subjectId);
  const incidents = await listIncidentsById(database, target.organizationId, ids);
  const groups = said.filter(({ subjectKind }) => subjectKind === 'group');
  const open = incidents.filter(({ status }) => status !== 'resolved');
  const bySeverity: Record<Severity, number> = { info: 0, warn: 0, error: 0, critical: 0 };
  for (const { severity } of [...incidents, ...groups]) bySeverity[severity]++;
  const worst = [...open, ...incidents.filter(({ status }) => status === 'resolved')].toSorted(
    (left, right) => rank(right.status, right.severity) - rank(left.status, left.severity),
  );
  const digest: Digest = {
    since: isoTime(said.reduce((least, { since }) => Math.min(least, since.getTime()), now.getTime())),
    total: incidents.length + groups.length,
    open: open.length,
    resolved: incidents.length - open.length,
    bySeverity,
    listed: worst.slice(0, MAX_LISTED).map(({ id, title, severity, status }) => {
      const incidentId = toId('inc', id);
      return { id: incidentId, title, severity, status, url: links.incident(incidentId) };
    }),
    others: worst
      .slice(MAX_LISTED, MAX_LISTED + MAX_OTHERS)
      .map(({ id, status }) => ({ id: toId('inc', id), status })),
  };
  const severity = SEVERITIES.findLast((each) => bySeverity[each] > 0) ?? row.severity;
  const projectIds = new Set(said.map(({ projectId }) => projectId));
  const [projectId] = projectIds;
  const project =
    projectIds.size === 1 && projectId !== undefined
      ? await findMessageProject(database, target.organizationId, projectId)
      : null;
  const maxPerWeek = routes.get(row.routeId ?? '')?.maxPerWeek ?? null;
  return {
    message: digestMessage(
      digest,
      {
        severity,
        threadId: toId('dlv', row.subjectId),
        url: links.incident(''),
        lead: row.change === 'over_budget' ? describeBeyond(maxPerWeek) : 'in one',
      },
      {
        ...context,
        project,
        why:
          row.change === 'over_budget'
            ? `${context.why} The rest comes in a daily digest.`
            : 'More than 10 messages in 10 minutes, so the rest comes in one.',
      },
    ),
    status: 'digest',
  };
}

/** @param maxPerWeek null: the limit was removed, or the route deleted, since the digest was created */
function describeBeyond(maxPerWeek: number | null): string {
  return maxPerWeek === null ? 'over a route’s limit' : `over ${countMessages(maxPerWeek)} a week`;
}

function rank(status: string, severity: Severity): number {
  return (status === 'resolved' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);
}
