import type { Queryable } from '../../database/database.ts';
import { wholeMinutes } from '../conditions.ts';
import { countCorrelationKeys } from '../pair-queries.ts';
import { countNewest } from '../read/histogram-queries.ts';
import type {
  BoundedConditions,
  CorrelationKeys,
  EventConditions,
  Histogram,
  Scan,
  Top,
  TopQuery,
} from '../read-types.ts';
import { answerableFromGroups } from '../top/top-group-queries.ts';
import { listTopOfEvents } from '../top/top-queries.ts';
import { answerableFromCounts } from '../where.ts';
import {
  type ArchiveReading,
  findArchivedRange,
  limitsOf,
  nullIfSlow,
  orUnavailable,
} from './archive-reads.ts';
import { type ArchivedRow, listArchivedRows } from './archived-row-queries.ts';
import { mergeHistograms, mergeKeys, mergeTops } from './merge-counts.ts';
import { overRows } from './over-rows.ts';
import { type Slice, slicesOf } from './slices.ts';
import { needsPayload } from './span-page.ts';

/** Maximum events of the archive that are counted one by one. */
const MAX_COUNTED = 20_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum values that both sides count before their sums are compared. */
const MAX_VALUES = 10_000;

/** Counts of PostgreSQL, with those of the archive added where they are not of its counts. */
export async function spanHistogram(
  database: Queryable,
  reading: ArchiveReading,
  { conditions, intervalMs }: { conditions: BoundedConditions; intervalMs: number },
  count: () => Promise<Histogram>,
): Promise<Histogram> {
  const own = await count();
  if (own.scan) return own;
  const archived = await listCounted(database, reading, conditions, true);
  if (!archived) return own;
  const rows = overRows(database, { ids: [], archived: archived.rows });
  const more = await countNewest(rows, reading.organizationId, conditions, intervalMs);
  return mergeHistograms(own, { ...more, scan: archived.scan });
}

/** The same for keys of a correlation. */
export async function spanKeys(
  database: Queryable,
  reading: ArchiveReading,
  { conditions, value }: { conditions: EventConditions; value: string },
  count: () => Promise<CorrelationKeys>,
): Promise<CorrelationKeys> {
  const own = await count();
  if (own.scan) return own;
  const archived = await listCounted(database, reading, conditions, false);
  if (!archived) return own;
  const rows = overRows(database, { ids: [], archived: archived.rows });
  const more = await countCorrelationKeys(rows, reading.organizationId, conditions, value);
  return mergeKeys(own, { ...more, scan: archived.scan });
}

/** The same for frequent values. Groups are counted by whole hours in a time that old: nothing of them is in the archive alone. */
export async function spanTop(
  database: Queryable,
  reading: ArchiveReading,
  { conditions, query }: { conditions: BoundedConditions; query: TopQuery },
  count: (query: TopQuery) => Promise<Top>,
): Promise<Top> {
  const first = await count(query);
  const isOfGroups = query.by === 'fingerprint' && answerableFromGroups(conditions);
  if (first.scan || isOfGroups) return first;
  const archived = await listCounted(database, reading, conditions, query.by !== 'fingerprint');
  if (!archived) return first;
  const wide = { ...query, limit: MAX_VALUES };
  const own = await count(wide);
  const rows = overRows(database, { ids: [], archived: archived.rows });
  const more = await listTopOfEvents(rows, reading.organizationId, conditions, wide);
  return mergeTops(own, { ...more, scan: archived.scan }, query.limit);
}

interface CountedRows {
  rows: ArchivedRow[];
  /** Null: these are all. */
  scan: Scan | null;
}

/**
 * Events of the archive that no count has: all that meet conditions of other fields, else those of partial minutes.
 * @param isCounted true if counts answer what they can
 * @returns null if there is nothing to ask
 */
async function listCounted(
  database: Queryable,
  reading: ArchiveReading,
  conditions: EventConditions,
  isCounted: boolean,
): Promise<CountedRows | null> {
  const spans =
    isCounted && isBounded(conditions) && answerableFromCounts(conditions) ? edgesOf(conditions) : null;
  if (spans?.length === 0) return null;
  const limits = limitsOf(reading);
  const range = await findArchivedRange(database, reading, conditions, { limits });
  if (!range) return null;
  const { fromMs, untilMs, archivedUntilMs } = range;
  if (range.isUnknown) return { rows: [], scan: { fromMs: archivedUntilMs, events: 0 } };
  const slices = (spans ?? [range])
    .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), untilMs: Math.min(span.untilMs, untilMs) }))
    .flatMap((span) => [...slicesOf(span, 'desc')]);
  const rows: ArchivedRow[] = [];
  for (const slice of slices) {
    const asked = {
      conditions: range.where().within(slice),
      order: 'desc' as const,
      cursor: null,
      limit: MAX_COUNTED - rows.length + 1,
      omitPayload: !needsPayload(conditions),
      maxBytes: MAX_BYTES,
    };
    const read = await orUnavailable(archivedUntilMs, () =>
      listArchivedRows(reading.archive, asked, limits()).catch(nullIfSlow),
    );
    if (read === null) return { rows, scan: { fromMs: slice.untilMs, events: rows.length } };
    for (const row of read.rows) rows.push(row);
    // The events of a slice are counted wholly, or not at all: the buckets before its end stay unknown.
    if (read.hasMore)
      return {
        rows: rows.slice(0, rows.length - read.rows.length),
        scan: { fromMs: slice.untilMs, events: rows.length },
      };
  }
  return { rows, scan: null };
}

function isBounded(conditions: EventConditions): conditions is BoundedConditions {
  return conditions.afterMs !== null && conditions.beforeMs !== null;
}

/** Partial minutes at the ends of a range. */
function edgesOf(conditions: BoundedConditions): Slice[] {
  const { firstMinuteMs, endMinuteMs } = wholeMinutes(conditions);
  const { afterMs, beforeMs } = conditions;
  if (firstMinuteMs >= endMinuteMs) return [{ fromMs: afterMs + 1, untilMs: beforeMs }];
  const edges = [
    { fromMs: endMinuteMs, untilMs: beforeMs },
    { fromMs: afterMs + 1, untilMs: firstMinuteMs },
  ];
  return edges.filter(({ fromMs, untilMs }) => fromMs < untilMs);
}
