import type { Static } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ReadCurrent } from './current-values.ts';
import type { ReadFacts } from './read-facts.ts';
import { type IncidentRow, toTimelineEntry } from './rows.ts';
import type { IncidentWithTimeline } from './schema.ts';
import { listTimeline } from './timeline-queries.ts';
import { followedOf, toIncident } from './to-incident.ts';

/** Entries in one answer: a note has up to 40 kB. */
export const MAX_TIMELINE_PAGE = 100;

/** An incident with the newest entries of its timeline, what its events say, and what is observed now. */
export async function describeIncident(
  { pool, readCurrent, readFacts }: { pool: Pool; readCurrent: ReadCurrent; readFacts: ReadFacts },
  row: IncidentRow,
): Promise<Static<typeof IncidentWithTimeline>> {
  const [rows, current, facts] = await Promise.all([
    listTimeline(pool, row.id, { cursor: null, limit: MAX_TIMELINE_PAGE }),
    readCurrent(followedOf(row)),
    readFacts(row),
  ]);
  const timeline = rows.slice(0, MAX_TIMELINE_PAGE).toReversed().map(toTimelineEntry);
  return { ...toIncident(row, current), facts, timeline };
}
