import type { Queryable } from '../../database/database.ts';
import type { LeadFacts } from '../../events/read-types.ts';
import type { EventReads } from '../../events/reader.ts';
import { MAX_KNOWN_USERS } from '../../groups/limits.ts';
import type { LeadEvents } from '../lead.ts';
import type { Facts } from '../schema.ts';
import { countKnownUsers } from './facts-queries.ts';
import { type IncidentGroupDetail, listIncidentGroupDetails } from './group-detail-queries.ts';
import { type IncidentGroupRow, LARGEST, listIncidentGroups } from './group-queries.ts';

type Users = Facts['users'];
type LeadGroup = IncidentGroupRow & { detail: IncidentGroupDetail | undefined };

/** Lists the largest groups of a lead's events, each with what its newest events name. */
export async function listLeadGroups(
  events: EventReads,
  organizationId: string,
  counted: LeadEvents,
  at: Date,
): Promise<LeadGroup[]> {
  const rows = await listIncidentGroups(events, organizationId, counted, at);
  const range = { fromMs: counted.fromMs, toMs: counted.untilMs === null ? null : counted.untilMs + 1 };
  const ids = rows.map(({ id }) => id);
  const details = await listIncidentGroupDetails(events, organizationId, ids, range);
  return rows.map((row) => ({ ...row, detail: details.get(row.id) }));
}

/** Counts the users of all events of a lead: those of a group are never more. */
export async function countLeadUsers(
  database: Queryable,
  organizationId: string,
  facts: LeadFacts,
  listGroups: () => Promise<LeadGroup[]>,
): Promise<Users> {
  if (facts.isComplete) return { count: facts.users, isExact: true };
  const groups = await listGroups();
  if (groups.length < LARGEST && groups.every((group) => isKnown(group) && group.users <= MAX_KNOWN_USERS)) {
    const ids = groups.map(({ id }) => id);
    return { count: await countKnownUsers(database, organizationId, ids), isExact: true };
  }
  const counts = groups.map((group) => usersOfGroup(group, facts).count);
  return { count: counts.reduce((most, count) => Math.max(most, count), facts.users), isExact: false };
}

/** Counts the users of a lead's events of one group: by the same events, else by its newest ones and those it knows. */
export function usersOfGroup(group: LeadGroup, { isComplete, groupUsers }: LeadFacts): Users {
  const among = groupUsers[group.id] ?? 0;
  if (isComplete) return { count: among, isExact: true };
  const { readEvents = 0, users = 0, isComplete: areAllRead = false } = group.detail ?? {};
  if (areAllRead && readEvents >= group.incidentCount) return { count: users, isExact: true };
  const known = isKnown(group) ? group.users : 0;
  if (known > 0 && known <= MAX_KNOWN_USERS) return { count: known, isExact: true };
  return { count: Math.max(among, users, Math.min(known, MAX_KNOWN_USERS)), isExact: false };
}

/** True if the incident counts all events of a group, whose users are therefore those that it knows. */
function isKnown({ count, incidentCount }: IncidentGroupRow): boolean {
  return count === incidentCount;
}
