import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import { countKnownGroups } from './count-groups.ts';
import { findGroups, GROUP_OUTCOME } from './known-groups.ts';

/**
 * Events of one fingerprint that are not counted yet. Times are in milliseconds, and those of capture except for
 * `receivedMs`.
 */
export interface UncountedEvents {
  organizationId: string;
  projectId: string;
  fingerprint: string;
  /** Fingerprint by the former algorithm; null: not computed. */
  former: string | null;
  /** Worst severity. */
  severity: Severity;
  firstMs: number;
  receivedMs: number;
  firstRelease: string | null;
  /** False if all are from environments that are not watched. */
  isWatched: boolean;
}

/** Events of one release that came to a group whose state they may change. */
export interface Arrival {
  groupId: string;
  /** Last release of the group before they came. */
  releaseBefore: string | null;
  release: string | null;
  /** Time of the last capture. */
  lastMs: number;
  receivedMs: number;
}

/** Result of a statement that counts cells in groups. */
export interface GroupOutcome {
  /** JSON of the cells that are not counted; null: all are. */
  cells: string | null;
  arrivals: Arrival[];
}

const CELLS = `json_to_recordset($1::json) AS cell (organization_id uuid, project_id uuid, fingerprint text, former text,
  release text, severity severity, minute bigint, count bigint, first_ms bigint, last_ms bigint, received_ms bigint,
  users bigint[], environment smallint, is_watched boolean)`;

/** The fingerprints of cells that are not counted. */
export async function listUncounted(database: Queryable, cells: string): Promise<UncountedEvents[]> {
  const { rows } = await database.query<UncountedEvents>({
    name: 'list-uncounted',
    text: `SELECT organization_id AS "organizationId", project_id AS "projectId", fingerprint, max(former) AS former,
        max(severity) AS severity, min(first_ms) AS "firstMs", max(received_ms) AS "receivedMs",
        (array_agg(release ORDER BY first_ms, release COLLATE "C") FILTER (WHERE release IS NOT NULL AND is_watched))[1]
          AS "firstRelease", bool_or(is_watched) AS "isWatched"
      FROM ${CELLS} GROUP BY organization_id, project_id, fingerprint ORDER BY project_id, fingerprint`,
    values: [cells],
  });
  return rows;
}

const addCellsIn = (hour: '$2' | null) =>
  `WITH count_cells AS MATERIALIZED (SELECT * FROM ${CELLS}), ${findGroups('always')}, ${countKnownGroups(hour)}
  SELECT ${GROUP_OUTCOME}`;
const ADD_CELLS = addCellsIn(null);
const ADD_SAMPLED_CELLS = addCellsIn('$2');

/**
 * Counts the cells of stored events in the groups that their fingerprints lead to by now.
 * @param hour hour of storing where projects keep samples; null: none does
 * @throws SQLSTATE 55P03 if another transaction has locked one of these: waiting for it could be a deadlock
 */
export async function addCells(database: Queryable, cells: string, hour: Date | null): Promise<GroupOutcome> {
  const { rows } = await database.query<GroupOutcome>(
    hour === null
      ? { name: 'add-cells', text: ADD_CELLS, values: [cells] }
      : { name: 'add-sampled-cells', text: ADD_SAMPLED_CELLS, values: [cells, hour] },
  );
  return rows[0] ?? { cells: null, arrivals: [] };
}
