import { countKnownGroups } from '../../groups/keep/count-groups.ts';
import { findGroups, GROUP_OUTCOME } from '../../groups/keep/known-groups.ts';
import { ANNOUNCED_DEPLOYS, RELEASE_COUNTS, STORED_DEPLOYS } from './count-releases.ts';
import { ERROR_GROUPS, LATE_HOURS, MINUTE_COUNTS, RISK_INBOX, SERIES_COUNTS } from './count-series.ts';
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
 *           locked_groups, parsed_events → event_weights, where projects keep samples (sample-events.ts)
 *   write   queue          deleted_batches   ← chosen_batches
 *           events         stored_events     ← parsed_events, event_weights
 *           sampled_events unkept_ids        ← event_weights
 *           live_tail      live_samples      ← parsed_events
 *           groups, group_users, group_minutes, group_releases ← grouped_cells (groups/keep/count-groups.ts)
 *           event_counts   minute_counts     ← series_counts ← grouped_cells
 *           risk_inbox     inbox_entries     ← series_counts, error_groups ← parsed_events
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
const partsFor = ({ isSampled }: { isSampled: boolean }) => [
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
  RISK_INBOX,
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
    coalesce((SELECT bool_or(sample_above IS NOT NULL) FROM live_projects), false) AS "keepsSamples"
  FROM (SELECT min(id) AS "oldestId", count(*) AS batches FROM taken_batches) AS taken CROSS JOIN (
    SELECT coalesce(sum(events), 0)::bigint AS events, coalesce(sum(events - sampled) FILTER (WHERE is_live), 0)::bigint AS stored,
      coalesce(sum(sampled), 0)::bigint AS sampled,
      coalesce(sum(duplicate), 0)::bigint AS duplicate,
      coalesce(sum(events) FILTER (WHERE NOT is_live), 0)::bigint AS dropped
    FROM project_totals
  ) AS totals`;

const storeStatement = (parts: string[]) => `WITH ${parts.join(', ')} ${RESULT}`;

/** Constants: node-postgres compares the text of a prepared statement each time that it is executed. */
export const STORE_BATCHES = storeStatement(partsFor({ isSampled: false }));
/** With samples for the organizations of $6; for small batches, starting a part costs as much as its work. */
export const STORE_WATCHED_BATCHES = storeStatement([
  ...partsFor({ isSampled: false }),
  liveSamples('$6', null),
]);
/** For projects that keep samples of storms; $6: the hour. */
export const STORE_SAMPLED_BATCHES = storeStatement(partsFor({ isSampled: true }));
/** The same with samples for the organizations of $7. */
export const STORE_WATCHED_SAMPLED_BATCHES = storeStatement([
  ...partsFor({ isSampled: true }),
  liveSamples('$7', WEIGHT),
]);
