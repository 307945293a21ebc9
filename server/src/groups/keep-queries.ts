import type { Queryable } from '../database/database.ts';
import { MORE_FINGERPRINT } from '../events/group-queries.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import type { Print } from './batch.ts';
import { MAX_KNOWN_USERS, MAX_NEW_GROUPS } from './limits.ts';
import type { GroupRow } from './schema.ts';

/*
 * What keeps groups in the transaction that stores their events. The rows of groups are locked in the order of their ids
 * before anything else of them is written, so that two workers never wait for each other.
 */

const FORMER_FINGERPRINT_DAYS = 30;
/** Of a group, by which it is found. */
const MAX_RELEASES = 1_000;
const TITLE_CHARACTERS = 300;
const CULPRIT_CHARACTERS = 300;

export interface Place {
  projectId: string;
  fingerprint: string;
  groupId: string;
  mergedInto: string | null;
  /** Whether the group is known by the fingerprint of the former algorithm alone. */
  isAdopted: boolean;
  /** Whether the fingerprint leads to the group as long as the group exists. */
  isLasting: boolean;
}

/** Which groups fingerprints lead to; those that lead nowhere are left out. */
export async function listPlaces(
  database: Queryable,
  prints: readonly Pick<Print, 'projectId' | 'fingerprint' | 'former'>[],
): Promise<Place[]> {
  const { rows } = await database.query<Place>({
    name: 'list-group-places',
    text: `SELECT print.project_id AS "projectId", print.fingerprint, g.id AS "groupId", g.merged_into AS "mergedInto",
        own.group_id IS NULL AS "isAdopted", own.group_id IS NOT NULL AND own.expires_at IS NULL AS "isLasting"
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS print (project_id, fingerprint, former)
      LEFT JOIN group_fingerprints own ON own.project_id = print.project_id AND own.fingerprint = print.fingerprint
      LEFT JOIN group_fingerprints former ON own.group_id IS NULL AND former.project_id = print.project_id
        AND former.fingerprint = print.former AND former.expires_at IS NULL
      JOIN groups AS g ON g.id = coalesce(own.group_id, former.group_id)`,
    values: [
      prints.map(({ projectId }) => projectId),
      prints.map(({ fingerprint }) => fingerprint),
      prints.map(({ former }) => former),
    ],
  });
  return rows;
}

export interface Grant {
  projectId: string;
  /** The last of the numbers that are granted. */
  lastNumber: number;
  errors: number;
  others: number;
}

/** What is left of the bound on the day of `excluded`; days never go back. */
const room = (column: string) =>
  `least(excluded.${column}, greatest(0, ${MAX_NEW_GROUPS} - CASE WHEN n.day >= excluded.day THEN n.${column} ELSE 0 END))`;
const used = (column: string) =>
  `CASE WHEN n.day >= excluded.day THEN n.${column} ELSE 0 END + ${room(column)}`;

/** Numbers for new groups, no more than a project may begin on that day. One transaction at a time for each project. */
export async function addGroupNumbers(
  database: Queryable,
  wanted: readonly { projectId: string; errors: number; others: number; day: string }[],
): Promise<Grant[]> {
  const { rows } = await database.query<Grant>(
    `INSERT INTO group_numbers AS n (project_id, last_number, day, new_errors, new_others, granted_errors, granted_others)
      SELECT project_id, errors + others, day, errors, others, errors, others
      FROM unnest($1::uuid[], $2::int[], $3::int[], $4::date[]) AS wanted (project_id, errors, others, day)
      ORDER BY project_id
      ON CONFLICT (project_id) DO UPDATE SET day = greatest(n.day, excluded.day),
        last_number = n.last_number + ${room('new_errors')} + ${room('new_others')},
        new_errors = ${used('new_errors')}, new_others = ${used('new_others')},
        granted_errors = ${room('new_errors')}, granted_others = ${room('new_others')}
      RETURNING project_id AS "projectId", last_number AS "lastNumber", granted_errors AS errors,
        granted_others AS others`,
    [
      wanted.map(({ projectId }) => projectId),
      wanted.map(({ errors }) => Math.min(errors, MAX_NEW_GROUPS)),
      wanted.map(({ others }) => Math.min(others, MAX_NEW_GROUPS)),
      wanted.map(({ day }) => day),
    ],
  );
  return rows;
}

export interface Claim {
  projectId: string;
  fingerprint: string;
  groupId: string;
  /** By which the group is found; null: this is not the fingerprint of its first event. */
  number: number | null;
}

/** Has fingerprints lead to groups. @returns where they lead: another worker may have been faster */
export async function upsertFingerprints(
  database: Queryable,
  claims: readonly Claim[],
): Promise<Omit<Claim, 'number'>[]> {
  const { rows } = await database.query<Omit<Claim, 'number'>>(
    `INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[]) AS claim (project_id, fingerprint, group_id, number)
      ORDER BY project_id, fingerprint
      ON CONFLICT (project_id, fingerprint) DO UPDATE SET fingerprint = excluded.fingerprint
      RETURNING project_id AS "projectId", fingerprint, group_id AS "groupId"`,
    [
      claims.map(({ projectId }) => projectId),
      claims.map(({ fingerprint }) => fingerprint),
      claims.map(({ groupId }) => groupId),
      claims.map(({ number }) => number),
    ],
  );
  return rows;
}

/** Has what the former algorithm made of the same events lead to their groups as well, for a while. */
export async function insertFormerFingerprints(
  database: Queryable,
  claims: readonly (Omit<Claim, 'number'> & { receivedMs: number })[],
): Promise<void> {
  await database.query(
    `INSERT INTO group_fingerprints (project_id, fingerprint, group_id, expires_at)
      SELECT DISTINCT ON (project_id, fingerprint) project_id, fingerprint, group_id,
        to_timestamp(received_ms / 1000.0) + interval '${FORMER_FINGERPRINT_DAYS} days'
      FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[]) AS claim (project_id, fingerprint, group_id, received_ms)
      ORDER BY project_id, fingerprint, group_id
      ON CONFLICT DO NOTHING`,
    [
      claims.map(({ projectId }) => projectId),
      claims.map(({ fingerprint }) => fingerprint),
      claims.map(({ groupId }) => groupId),
      claims.map(({ receivedMs }) => receivedMs),
    ],
  );
}

export interface NewGroup {
  id: string;
  number: number;
  print: Print;
}

/**
 * Groups without any count yet, worded by the first event of their fingerprint. The culprit is the application's
 * innermost frame, else the innermost one; of a server error without a stack, the request.
 */
export async function insertGroups(database: Queryable, groups: readonly NewGroup[]): Promise<void> {
  await database.query(
    `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, culprit, type, source, severity, count,
        first_seen, last_seen, first_release)
      SELECT new.id, new.organization_id, new.project_id, new.number, new.fingerprint,
        CASE WHEN new.number = 0 THEN 'And more'
          ELSE left(coalesce(nullif(btrim(message), ''), type, ''), ${TITLE_CHARACTERS}) END,
        CASE WHEN new.number > 0 THEN left(coalesce(
          nullif(concat_ws(' in ', frame ->> 'function', frame ->> 'file'), ''),
          CASE WHEN type = 'server_error' THEN nullif(concat_ws(' ', payload ->> 'method', payload ->> 'path'), '') END
        ), ${CULPRIT_CHARACTERS}) END,
        CASE WHEN new.number = 0 THEN '${MORE_FINGERPRINT}' ELSE coalesce(type, '') END, source, new.severity, 0,
        to_timestamp(new.first_ms / 1000.0), to_timestamp(new.first_ms / 1000.0), new.first_release
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::severity[], $7::bigint[], $8::text[],
          $9::uuid[])
        AS new (id, organization_id, project_id, number, fingerprint, severity, first_ms, first_release, first_event_id)
      LEFT JOIN LATERAL (
        SELECT message, type, source, payload,
          coalesce(jsonb_path_query_first(payload, '$.frames[*] ? (@.inApplication == true)'),
            payload #> '{frames,0}') AS frame
        FROM events
        WHERE organization_id = new.organization_id AND fingerprint = new.fingerprint AND project_id = new.project_id
          AND id >= new.first_event_id AND new.number > 0
        ORDER BY id LIMIT 1
      ) AS event ON true
      ORDER BY new.id`,
    [
      groups.map(({ id }) => id),
      groups.map(({ print }) => print.organizationId),
      groups.map(({ print }) => print.projectId),
      groups.map(({ number }) => number),
      groups.map(({ print }) => print.fingerprint),
      groups.map(({ print }) => print.severity),
      groups.map(({ print }) => print.firstMs),
      groups.map(({ print }) => print.firstRelease),
      groups.map(({ print }) => uuidLowerBound(print.firstMs)),
    ],
  );
}

export interface SeenUser {
  groupId: string;
  projectId: string;
  /** The merged group that it is known from; null: the group's own. */
  via: string | null;
  hash: number;
}

/** @returns by how many users each group has more than before */
export async function upsertUsers(
  database: Queryable,
  users: readonly SeenUser[],
): Promise<{ groupId: string; users: number }[]> {
  const { rows } = await database.query<{ groupId: string; users: number }>({
    name: 'upsert-group-users',
    text: `WITH seen AS (
        INSERT INTO group_users AS u (group_id, project_id, user_hash, via)
        SELECT group_id, project_id, user_hash, via FROM (
          SELECT wanted.*, row_number() OVER (PARTITION BY group_id) AS place
          FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[]) AS wanted (group_id, project_id, user_hash, via)
          WHERE NOT EXISTS (
            SELECT FROM group_users AS known
            WHERE known.group_id = wanted.group_id AND known.user_hash = wanted.user_hash
              AND (known.via IS NULL OR wanted.via IS NOT NULL))
        ) AS missing WHERE place <= ${MAX_KNOWN_USERS} + 1 ORDER BY group_id, user_hash
        ON CONFLICT (group_id, user_hash) DO UPDATE SET via = NULL WHERE u.via IS NOT NULL AND excluded.via IS NULL
        RETURNING group_id, xmax = 0 AS is_new
      )
      SELECT group_id AS "groupId", count(*) AS users FROM seen WHERE is_new GROUP BY 1`,
    values: [
      users.map(({ groupId }) => groupId),
      users.map(({ projectId }) => projectId),
      users.map(({ hash }) => hash),
      users.map(({ via }) => via),
    ],
  });
  return rows;
}

export interface GroupMinute {
  groupId: string;
  projectId: string;
  /** Since 1970. */
  minute: number;
  info: number;
  warn: number;
  error: number;
  critical: number;
}

/** Writes what the events of a batch change of groups whose rows are locked, and adds to their minutes. */
export async function updateCounts(
  database: Queryable,
  groups: readonly GroupRow[],
  minutes: readonly GroupMinute[],
): Promise<void> {
  // One statement, for small batches: there a round trip costs as much as storing several events.
  await database.query({
    name: 'update-group-counts',
    text: `WITH updated AS (
        UPDATE groups SET count = changed.count, users = changed.users, severity = changed.severity,
          first_seen = changed.first_seen, last_seen = changed.last_seen, first_release = changed.first_release,
          last_release = changed.last_release
        FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::severity[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])
          AS changed (id, count, users, severity, first_seen, last_seen, first_release, last_release)
        WHERE groups.id = changed.id
      )
      INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
      SELECT group_id, project_id, to_timestamp(minute * 60), info, warn, error, critical
      FROM unnest($9::uuid[], $10::uuid[], $11::bigint[], $12::int[], $13::int[], $14::int[], $15::int[])
        AS more (group_id, project_id, minute, info, warn, error, critical)
      ORDER BY group_id, minute
      ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
        error = m.error + excluded.error, critical = m.critical + excluded.critical`,
    values: [
      groups.map(({ id }) => id),
      groups.map(({ count }) => count),
      groups.map(({ users }) => users),
      groups.map(({ severity }) => severity),
      groups.map(({ firstSeen }) => firstSeen),
      groups.map(({ lastSeen }) => lastSeen),
      groups.map(({ firstRelease }) => firstRelease),
      groups.map(({ lastRelease }) => lastRelease),
      minutes.map(({ groupId }) => groupId),
      minutes.map(({ projectId }) => projectId),
      minutes.map(({ minute }) => minute),
      minutes.map(({ info }) => info),
      minutes.map(({ warn }) => warn),
      minutes.map(({ error }) => error),
      minutes.map(({ critical }) => critical),
    ],
  });
}

/** The releases by which a group is found; the first 1,000 of it. */
export async function insertGroupReleases(
  database: Queryable,
  named: readonly { groupId: string; projectId: string; release: string }[],
): Promise<void> {
  await database.query({
    name: 'insert-group-releases',
    text: `INSERT INTO group_releases (project_id, release, group_id)
      SELECT DISTINCT project_id, release, group_id
      FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS named (project_id, release, group_id)
      WHERE NOT EXISTS (
          SELECT FROM group_releases AS known
          WHERE known.project_id = named.project_id AND known.release = named.release AND known.group_id = named.group_id)
        AND (SELECT count(*) FROM (
          SELECT FROM group_releases AS known WHERE known.group_id = named.group_id LIMIT ${MAX_RELEASES}
        ) AS some_releases) < ${MAX_RELEASES}
      ORDER BY project_id, release, group_id
      ON CONFLICT DO NOTHING`,
    values: [
      named.map(({ projectId }) => projectId),
      named.map(({ release }) => release),
      named.map(({ groupId }) => groupId),
    ],
  });
}
