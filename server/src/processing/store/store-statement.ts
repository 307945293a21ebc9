import { countKnownGroups } from '../../groups/keep/count-groups.ts';
import { findGroups, GROUP_OUTCOME } from '../../groups/keep/known-groups.ts';
import { FIELD_COUNTS, FIELD_MATCHES } from './count-fields.ts';
import { ANNOUNCED_DEPLOYS, RELEASE_COUNTS, STORED_DEPLOYS } from './count-releases.ts';
import { ERROR_GROUPS, LATE_HOURS, MINUTE_COUNTS, riskInbox, SERIES_COUNTS } from './count-series.ts';
import {
  ALERT_NOTICES,
  COUNT_CELLS,
  NOTICES,
  PARSED_CELLS,
  PARSED_EVENTS,
  UNKNOWN_ENVIRONMENTS,
} from './parse-events.ts';
import { EVENT_WEIGHTS, SAMPLED_KINDS, UNKEPT_IDS, WEIGHT } from './sample-events.ts';
import {
  ACCEPTED_COUNTS,
  CHOSEN_BATCHES,
  LIVE_PROJECTS,
  LOCKED_BATCHES,
  TAKEN_BATCHES,
} from './take-batches.ts';
import { DELETED_BATCHES, liveSamples, storedEvents } from './write-events.ts';
import { LEDGER_ENTRIES, projectTotals } from './write-ledger.ts';

/*
 * From the queue into the event store, in one statement: the rows leave the queue, their events, the counts, the inbox of
 * detection and the ledger appear together, or nothing happens. Each part is a common table expression of the name that its
 * constant has:
 *
 *   read    locked_batches → chosen_batches → taken_batches → parsed_events → parsed_cells
 *           taken_batches → accepted_counts → live_projects (locked against deletion)
 *           parsed_cells → count_cells → cell_groups → locked_groups → grouped_cells (count_cells with their groups)
 *           live_projects, parsed_events → field_matches, where projects have rules about fields (count-fields.ts)
 *           locked_groups, parsed_events → event_weights, where projects keep samples (sample-events.ts)
 *   write   queue          deleted_batches   ← chosen_batches
 *           events         stored_events     ← parsed_events, event_weights
 *           sampled_events unkept_ids        ← event_weights
 *           live_tail      live_samples      ← parsed_events
 *           groups, group_users, group_minutes, group_releases ← grouped_cells (groups/keep/count-groups.ts)
 *           event_counts   minute_counts     ← series_counts ← grouped_cells
 *           field_counts   minute_fields     ← field_matches
 *           risk_inbox     inbox_entries     ← series_counts, field_matches, error_groups ← parsed_events
 *           releases       release_counts    ← grouped_cells, announced_deploys ← parsed_events
 *           deploys        stored_deploys    ← announced_deploys
 *           ledgers        ledger_entries    ← project_totals ← accepted_counts, live_projects
 *           alert_notices ← parsed_events
 *   return  what was taken, the names of environments without a number, the notifications of alerts, which `applyAlerts`
 *           applies, the cells whose groups `finishGroups` has to begin, to count in or to reopen, and the hours with late
 *           events, which `upsertStaleHours` marks
 *
 * Workers that update the same rows wait for each other and never deadlock: groups are locked first, in the order of their
 * ids, and all other rows are written after that, in the order of their keys. `finishGroups` comes after that and waits for no
 * group: where another worker holds one that has just begun, all is rolled back and begins again, and then knows that group.
 */
const partsFor = ({ isSampled, countsFields }: StatementKind) => [
  LOCKED_BATCHES,
  CHOSEN_BATCHES,
  TAKEN_BATCHES,
  ACCEPTED_COUNTS,
  LIVE_PROJECTS,
  PARSED_EVENTS,
  PARSED_CELLS,
  COUNT_CELLS,
  findGroups('unless new'),
  DELETED_BATCHES,
  ...(isSampled ? [SAMPLED_KINDS, EVENT_WEIGHTS, UNKEPT_IDS] : []),
  storedEvents(isSampled ? WEIGHT : null),
  SERIES_COUNTS,
  MINUTE_COUNTS,
  ERROR_GROUPS,
  ...(countsFields ? [FIELD_MATCHES, FIELD_COUNTS] : []),
  riskInbox(countsFields),
  ANNOUNCED_DEPLOYS,
  RELEASE_COUNTS,
  STORED_DEPLOYS,
  projectTotals(
    isSampled
      ? 'coalesce((SELECT count FROM sampled_counts AS s WHERE s.project_id = accepted_counts.project_id), 0)'
      : '0',
  ),
  LEDGER_ENTRIES,
  ALERT_NOTICES,
  countKnownGroups(isSampled ? '$6' : null),
];

const RESULT = `SELECT taken.*, totals.*, ${GROUP_OUTCOME}, ${LATE_HOURS}, ${UNKNOWN_ENVIRONMENTS}, ${NOTICES},
    (SELECT coalesce(sum(count), 0)::bigint FROM grouped_cells) + (SELECT count(*) FROM announced_deploys)
      + (SELECT count(*) FROM alert_notices) AS inserted,
    coalesce((SELECT bool_or(sample_above IS NOT NULL) FROM live_projects), false) AS "keepsSamples",
    coalesce((SELECT bool_or(counted_fields IS NOT NULL) FROM live_projects), false) AS "countsFields"
  FROM (SELECT min(id) AS "oldestId", count(*) AS batches FROM taken_batches) AS taken CROSS JOIN (
    SELECT coalesce(sum(events), 0)::bigint AS events, coalesce(sum(events - sampled) FILTER (WHERE is_live), 0)::bigint AS stored,
      coalesce(sum(sampled), 0)::bigint AS sampled,
      coalesce(sum(duplicate), 0)::bigint AS duplicate,
      coalesce(sum(events) FILTER (WHERE NOT is_live), 0)::bigint AS dropped
    FROM project_totals
  ) AS totals`;

/** Kinds of the statement: for small batches, starting a part costs as much as its work. */
interface StatementKind {
  /** True where projects keep samples of storms; $6: the hour. */
  isSampled: boolean;
  /** True where projects have rules about fields of the payload. */
  countsFields: boolean;
  /** True with samples for the organizations of the last parameter, which have live viewers. */
  isWatched: boolean;
}

function storeStatement(kind: StatementKind): string {
  const { isSampled, isWatched } = kind;
  const samples = isWatched ? [isSampled ? liveSamples('$7', WEIGHT) : liveSamples('$6', null)] : [];
  return `WITH ${[...partsFor(kind), ...samples].join(', ')} ${RESULT}`;
}

/** Texts by name, each built once: node-postgres compares the text of a prepared statement each time that it is executed. */
const texts = new Map<string, string>();

/** Returns the prepared statement of a kind. */
export function statementOf(kind: StatementKind): { name: string; text: string } {
  const name = nameOf(kind);
  const text = texts.get(name) ?? storeStatement(kind);
  texts.set(name, text);
  return { name, text };
}

function nameOf({ isSampled, countsFields, isWatched }: StatementKind): string {
  const kinds = [isWatched && 'watched-', isSampled && 'sampled-', countsFields && 'counted-'];
  return `store-${kinds.filter(Boolean).join('')}batches`;
}
