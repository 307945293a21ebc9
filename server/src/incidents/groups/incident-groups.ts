import { type Static, Type } from 'typebox';
import type { EventReads } from '../../events/reader.ts';
import { toGroup } from '../../groups/group-row.ts';
import { Group } from '../../groups/schema.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { isoTime } from '../../platform/time.ts';
import { countedEventsOf } from '../lead.ts';
import { type IncidentRow, toPerson } from '../rows.ts';
import { Person } from '../schema.ts';
import type { IncidentGroupDetail } from './group-detail-queries.ts';
import { listLeadGroups, usersOfGroup } from './lead-users.ts';
import { findKeptFacts } from './read-facts.ts';

const Regression = Type.Object({
  at: Timestamp,
  resolvedAt: Timestamp,
  resolvedIn: Nullable(Type.String({ description: 'The release of the resolution.' })),
  resolvedBy: Type.Unsafe<Static<typeof Person> | null>({ ...Person, type: ['object', 'null'] }),
});

export const IncidentGroup = Type.Object({
  group: Group,
  count: Type.Integer({ description: 'Its events of the incident.' }),
  share: Type.Number({ description: 'Share of the events of all groups of the incident, from 0 to 1.' }),
  readEvents: Type.Integer({
    description: 'Number of its newest events of that time that `releases` are of, at most 1,000.',
  }),
  users: Type.Integer({
    description:
      'Different values of `user_id`, else `customer_id`, among its events of the incident: never more than `facts.users` of it.',
  }),
  usersExact: Type.Boolean({ description: 'False: there are at least so many.' }),
  releases: Type.Array(Type.Object({ version: Nullable(Type.String()), count: Type.Integer() }), {
    description:
      'The most frequent ones, 5 at most, with how many of them each has; null: events without one.',
  }),
  otherReleases: Type.Integer({ description: 'Number of further ones.' }),
  isNew: Type.Boolean({ description: 'True if the group was first seen in this incident.' }),
  allReleases: Type.Array(Type.String(), {
    description: 'Releases that ever had the group, the newest first, 5 at most.',
  }),
  otherAllReleases: Type.Integer({ description: 'Number of further ones.' }),
  regression: Type.Unsafe<Static<typeof Regression> | null>({
    ...Regression,
    type: ['object', 'null'],
    description: 'Its resolution before it regressed within that time; null: it did not regress.',
  }),
});

/**
 * The groups of an incident with their states at a time, each with the releases and users that its newest events
 * name.
 */
export async function describeIncidentGroups(
  events: EventReads,
  organizationId: string,
  incident: IncidentRow,
  at: Date,
): Promise<Static<typeof IncidentGroup>[]> {
  const counted = countedEventsOf(incident);
  if (!counted) return [];
  const groups = await listLeadGroups(events, organizationId, counted, at);
  const facts = await findKeptFacts(events, incident, counted);
  return groups.map((row) => {
    const { detail } = row;
    const users = usersOfGroup(row, facts);
    return {
      group: toGroup(row),
      count: row.incidentCount,
      share: row.share,
      readEvents: detail?.readEvents ?? 0,
      users: users.count,
      usersExact: users.isExact,
      isNew: row.firstSeen.getTime() >= counted.fromMs,
      allReleases: detail?.allReleases ?? [],
      otherAllReleases: detail?.otherAllReleases ?? 0,
      releases: detail?.releases ?? [],
      otherReleases: detail?.otherReleases ?? 0,
      regression: detail?.regression ? toRegression(detail.regression) : null,
    };
  });
}

function toRegression({
  at,
  resolvedAt,
  resolvedIn,
  userId,
  userName,
}: NonNullable<IncidentGroupDetail['regression']>): Static<typeof Regression> {
  return {
    at: isoTime(Date.parse(at)),
    resolvedAt: isoTime(Date.parse(resolvedAt)),
    resolvedIn,
    resolvedBy: userId === null ? null : toPerson(userId, userName),
  };
}
