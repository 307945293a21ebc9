import type { Queryable } from '../../database/database.ts';
import { hasKey } from '../../events/event-keys.ts';
import { MORE_FINGERPRINT } from '../../events/group-queries.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { MAX_CULPRIT_LENGTH, MAX_NEW_GROUPS } from '../limits.ts';
import type { UncountedEvents } from './count-queries.ts';

const FORMER_FINGERPRINT_DAYS = 30;
const TITLE_CHARACTERS = 300;
/** Maximum characters in which words are searched: some hundred bytes of an index for a group. */
const MESSAGE_CHARACTERS = 500;
const MAX_FRAMES = 20;
const WORDS_CHARACTERS = 1_500;
/** Stored frames from the culprit on: some of a library come before the application's, and a caller names its function. */
const CULPRIT_FRAMES = 5;
const CULPRIT_FRAMES_CHARACTERS = 8_000;

export interface Grant {
  projectId: string;
  /** Last of the assigned numbers. */
  lastNumber: number;
  errors: number;
  others: number;
}

/** SQL of the remaining new groups on the day of `excluded`; days never go back. */
const room = (column: string) =>
  `least(excluded.${column}, greatest(0, ${MAX_NEW_GROUPS} - CASE WHEN n.day >= excluded.day THEN n.${column} ELSE 0 END))`;
const used = (column: string) =>
  `CASE WHEN n.day >= excluded.day THEN n.${column} ELSE 0 END + ${room(column)}`;

/**
 * Assigns numbers for new groups, no more than a project may begin on that day. One transaction at a time for each
 * project.
 */
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
  /** Number by which the group is found; null: this is not the fingerprint of its first event. */
  number: number | null;
}

/** The groups that fingerprints lead to by now, or by the former algorithm; those that lead nowhere are left out. */
export async function listClaims(
  database: Queryable,
  uncounted: readonly Pick<UncountedEvents, 'projectId' | 'fingerprint' | 'former'>[],
): Promise<Claim[]> {
  const { rows } = await database.query<Claim>({
    name: 'list-group-claims',
    text: `SELECT uncounted.project_id AS "projectId", uncounted.fingerprint, g.id AS "groupId", NULL AS number
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS uncounted (project_id, fingerprint, former)
      LEFT JOIN group_fingerprints own ON own.project_id = uncounted.project_id AND own.fingerprint = uncounted.fingerprint
      LEFT JOIN group_fingerprints former ON own.group_id IS NULL AND former.project_id = uncounted.project_id
        AND former.fingerprint = uncounted.former AND former.expires_at IS NULL
      JOIN groups AS g ON g.id = coalesce(own.group_id, former.group_id)`,
    values: [
      uncounted.map(({ projectId }) => projectId),
      uncounted.map(({ fingerprint }) => fingerprint),
      uncounted.map(({ former }) => former),
    ],
  });
  return rows;
}

/** Lets fingerprints lead to groups. @returns where they lead: another worker may have been faster */
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

/** Lets the former algorithm's fingerprints of the same events lead to their groups as well, for a while. */
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
  events: UncountedEvents;
}

/**
 * Inserts groups without any count, worded by the first event of their fingerprint. The culprit is the application's
 * innermost frame, else the innermost one; for a server error without a stack, the request.
 */
export async function insertGroups(database: Queryable, groups: readonly NewGroup[]): Promise<void> {
  await database.query(
    `WITH described AS MATERIALIZED (
        SELECT new.*, message, type, source, payload, frame, place
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::severity[], $7::bigint[], $8::text[],
            $9::uuid[], $10::boolean[])
          AS new (id, organization_id, project_id, number, fingerprint, severity, first_ms, first_release, first_event_id,
            is_watched)
        LEFT JOIN LATERAL (
          SELECT message, type, source, payload FROM events
          WHERE ${hasKey('fingerprint', 'new.organization_id', 'new.fingerprint')} AND project_id = new.project_id
            AND id >= new.first_event_id AND new.number > 0
          ORDER BY id LIMIT 1
        ) AS event ON true
        LEFT JOIN LATERAL (
          SELECT frame, place FROM jsonb_path_query(payload, '$.frames[*]') WITH ORDINALITY AS one (frame, place)
          ORDER BY frame -> 'inApplication' = 'true' DESC NULLS LAST, place LIMIT 1
        ) AS culprit ON true
      ), worded AS (
        INSERT INTO group_texts (group_id, project_id, type, source, words, culprit_frames)
        SELECT id, project_id, type, source, left(concat_ws(' ', left(message, ${MESSAGE_CHARACTERS}), payload ->> 'method',
          payload ->> 'path', (
            SELECT string_agg(concat_ws(' ', one ->> 'function', one ->> 'file'), ' ')
            FROM jsonb_path_query(payload, '$.frames[0 to ${MAX_FRAMES - 1}]') AS one
          )), ${WORDS_CHARACTERS}), CASE WHEN length(built::text) <= ${CULPRIT_FRAMES_CHARACTERS} THEN built END
        FROM described LEFT JOIN LATERAL (
          SELECT jsonb_build_object('frames', frames, 'debug_meta', jsonb_build_object('images', jsonb_agg(image))) AS built
          FROM jsonb_path_query_array(payload, '$.frames[$first to $last]',
              jsonb_build_object('first', place - 1, 'last', place + ${CULPRIT_FRAMES - 2}), silent => true) AS frames,
            jsonb_path_query(payload, '$.debug_meta.images[*]') AS image
          WHERE image -> 'code_file' IN (SELECT one -> 'file' FROM jsonb_array_elements(frames) AS one)
          GROUP BY frames
        ) AS culprit ON true
        WHERE type IS NOT NULL ORDER BY id
        ON CONFLICT DO NOTHING
      )
      INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, culprit, type, source, severity, count,
        first_seen, last_seen, first_release, is_watched)
      SELECT new.id, new.organization_id, new.project_id, new.number, new.fingerprint,
        CASE WHEN new.number = 0 THEN 'And more'
          ELSE left(coalesce(nullif(btrim(message), ''), type, ''), ${TITLE_CHARACTERS}) END,
        CASE WHEN new.number > 0 THEN left(coalesce(
          nullif(concat_ws(' in ', frame ->> 'function', frame ->> 'file'), ''),
          CASE WHEN type = 'server_error' THEN nullif(concat_ws(' ', payload ->> 'method', payload ->> 'path'), '') END
        ), ${MAX_CULPRIT_LENGTH}) END,
        CASE WHEN new.number = 0 THEN '${MORE_FINGERPRINT}' ELSE coalesce(type, '') END, source, new.severity, 0,
        to_timestamp(new.first_ms / 1000.0), to_timestamp(new.first_ms / 1000.0), new.first_release, new.is_watched
      FROM described AS new
      ORDER BY new.id`,
    [
      groups.map(({ id }) => id),
      groups.map(({ events }) => events.organizationId),
      groups.map(({ events }) => events.projectId),
      groups.map(({ number }) => number),
      groups.map(({ events }) => events.fingerprint),
      groups.map(({ events }) => events.severity),
      groups.map(({ events }) => events.firstMs),
      groups.map(({ events }) => events.firstRelease),
      groups.map(({ events }) => uuidLowerBound(events.firstMs)),
      groups.map(({ events }) => events.isWatched),
    ],
  );
}
