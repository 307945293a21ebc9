import type { Queryable } from '../database/database.ts';
import type { Severity } from '../events/severity.ts';
import type { SilenceScope } from './matches-silence.ts';

/** A silence that has not ended. Ids are UUIDs. */
export interface ActiveSilence extends SilenceScope {
  id: string;
  organizationId: string;
  until: Date;
  reason: string | null;
  /** Null: the account was deleted. */
  byName: string | null;
}

export const SCOPE_COLUMNS = `s.project_id AS "projectId", s.type, s.source, s.severity, s.group_id AS "groupId",
  s.schedule_id AS "scheduleId",
  CASE WHEN s.correlation_key IS NOT NULL
    THEN jsonb_build_object('key', s.correlation_key, 'value', s.correlation_value) END AS correlation`;

/**
 * The silences of organizations that are about one of these projects, oldest first. One that the worker has finished
 * covers nothing, whatever the clocks say.
 */
export async function listActiveSilences(
  database: Queryable,
  organizationIds: readonly string[],
  projectIds: readonly string[],
  at: Date,
): Promise<ActiveSilence[]> {
  const { rows } = await database.query<ActiveSilence>({
    name: 'list-active-silences',
    text: `SELECT s.id, s.organization_id AS "organizationId", ${SCOPE_COLUMNS}, s.until, s.reason, u.name AS "byName"
      FROM silences s LEFT JOIN users u ON u.id = s.created_by
      WHERE s.organization_id = ANY ($1::uuid[]) AND (s.project_id IS NULL OR s.project_id = ANY ($2::uuid[]))
        AND s.settled_at IS NULL AND s.ended_at IS NULL AND s.until > $3
      ORDER BY s.id`,
    values: [organizationIds, projectIds, at],
  });
  return rows;
}

/** Facts of an incident or a group that silences compare, beside its project and severity. */
export interface SubjectFacts {
  id: string;
  type: string | null;
  source: string | null;
  /** Group with the events; for a merged group, the one that it was merged into. */
  groupId: string | null;
  scheduleId: string | null;
  fingerprint: string | null;
  /** Severity of an incident's headline: null is any. */
  eventSeverity: Severity | null;
  /** When the window of the headline began; null: it has none, as in an incident that a person created. */
  from: Date | null;
}

export async function listSubjectFacts(
  database: Queryable,
  organizationIds: readonly string[],
  subjectIds: readonly string[],
): Promise<SubjectFacts[]> {
  const { rows } = await database.query<SubjectFacts>({
    name: 'list-silence-subjects',
    text: `SELECT id, type, source, NULL::uuid AS "groupId", schedule_id AS "scheduleId", evidence #>> '{series,fingerprint}' AS fingerprint,
        (evidence #>> '{series,severity}')::severity AS "eventSeverity", (evidence ->> 'from')::timestamptz AS from
      FROM incidents WHERE organization_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])
      UNION ALL
      SELECT id, type, source, coalesce(merged_into, id), NULL, fingerprint, NULL, NULL
      FROM groups WHERE organization_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])`,
    values: [organizationIds, subjectIds],
  });
  return rows;
}

/** @returns the matches that were not known, by silence and subject */
export async function insertMatches(
  database: Queryable,
  matches: readonly { silenceId: string; subjectId: string; projectId: string }[],
  at: Date,
): Promise<{ silenceId: string; subjectId: string }[]> {
  const { rows } = await database.query<{ silenceId: string; subjectId: string }>({
    name: 'insert-silence-matches',
    text: `INSERT INTO silence_matches (silence_id, subject_id, project_id, matched_at)
      SELECT silence_id, subject_id, project_id, $4
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS m (silence_id, subject_id, project_id)
      ORDER BY silence_id, subject_id
      ON CONFLICT DO NOTHING RETURNING silence_id AS "silenceId", subject_id AS "subjectId"`,
    values: [
      matches.map(({ silenceId }) => silenceId),
      matches.map(({ subjectId }) => subjectId),
      matches.map(({ projectId }) => projectId),
      at,
    ],
  });
  return rows;
}
