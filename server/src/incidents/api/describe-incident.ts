import type { Static } from 'typebox';
import type { Pool } from '../../database/database.ts';
import type { ReadCurrent } from '../current-values.ts';
import type { ReadFacts } from '../groups/read-facts.ts';
import { type IncidentRow, type TimelineRow, toTimelineEntry } from '../rows.ts';
import type { IncidentWithTimeline } from '../schema.ts';
import { listTimeline } from '../timeline-queries.ts';
import { followedOf, toIncident } from '../to-incident.ts';

/** Maximum entries in one answer: a note has up to 40 kB. */
export const MAX_TIMELINE_PAGE = 100;
/** Maximum bytes of notes that come with the incident, which is read at each change of it. */
const MAX_NOTE_BYTES = 64 * 1024;

/** Returns an incident with the newest entries of its timeline, facts of its events, and its current values. */
export async function describeIncident(
  { pool, readCurrent, readFacts }: { pool: Pool; readCurrent: ReadCurrent; readFacts: ReadFacts },
  row: IncidentRow,
): Promise<Static<typeof IncidentWithTimeline>> {
  const [rows, current, facts] = await Promise.all([
    listTimeline(pool, row.id, { cursor: null, limit: MAX_TIMELINE_PAGE }),
    readCurrent(followedOf(row)),
    readFacts(row),
  ]);
  const timeline = withinBytes(rows.slice(0, MAX_TIMELINE_PAGE)).toReversed().map(toTimelineEntry);
  return { ...toIncident(row, current), facts, timeline };
}

/** The first rows whose notes fit together, and one at least. */
function withinBytes(rows: TimelineRow[]): TimelineRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ note }, index) => {
    bytes += Buffer.byteLength(note ?? '');
    return index > 0 && bytes > MAX_NOTE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
