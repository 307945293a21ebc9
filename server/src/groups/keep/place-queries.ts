import type { Queryable } from '../../database/database.ts';
import type { Print } from './batch.ts';

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
