import type { Queryable } from '../../database/database.ts';
import { uuidTime } from '../../platform/ids.ts';
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
  type ArchivedRange,
  type ArchiveReading,
  findArchivedRange,
  findHeldRange,
  limitsOf,
  nullIfSlow,
  orUnavailable,
} from './archive-reads.ts';
import { type ArchivedRow, listArchivedRows } from './archived-row-queries.ts';
import { withHyphens } from './found-rows.ts';
import { listStoredIds } from './known-value-queries.ts';
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
  const more = await countNewest(archived.rows, reading.organizationId, conditions, intervalMs);
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
  const more = await countCorrelationKeys(archived.rows, reading.organizationId, conditions, value);
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
  const more = await listTopOfEvents(archived.rows, reading.organizationId, conditions, wide);
  return mergeTops(own, { ...more, scan: archived.scan }, query.limit);
}

interface CountedRows<Rows> {
  rows: Rows;
  /** Null: these are all. */
  scan: Scan | null;
}

/**
 * Events of the archive that no count has: all that meet conditions of other fields, else those of partial minutes. PostgreSQL
 * counts the ones that it has as well.
 * @param isCounted true if counts answer what they can
 * @returns a connection whose statements find these events alone; null if there is nothing to ask
 */
async function listCounted(
  database: Queryable,
  reading: ArchiveReading,
  conditions: EventConditions,
  isCounted: boolean,
): Promise<CountedRows<Queryable> | null> {
  const spans =
    isCounted && isBounded(conditions) && answerableFromCounts(conditions) ? edgesOf(conditions) : null;
  if (spans?.length === 0) return null;
  const range = await findArchivedRange(database, reading.organizationId, conditions);
  if (!range) return null;
  const found = await orUnavailable(range.archivedUntilMs, () =>
    readNewest(reading, range, { spans, omitPayload: !needsPayload(conditions) }),
  );
  if (!found) return null;
  const ids = found.rows.map(({ id }) => id);
  const stored = ids.length > 0 ? await listStoredIds(database, ids) : new Set();
  const archived = found.rows.filter(({ id }) => !stored.has(id));
  return { ...found, rows: overRows(database, { ids: [], archived }) };
}

/** Reads the newest events of a range, or of spans within it. If there are more, the whole millisecond of the last one is left out. */
async function readNewest(
  reading: ArchiveReading,
  range: ArchivedRange,
  { spans, omitPayload }: { spans: Slice[] | null; omitPayload: boolean },
): Promise<CountedRows<ArchivedRow[]> | null> {
  const limits = limitsOf(reading);
  const held = await findHeldRange(reading, range, limits);
  if (!held) return null;
  const { fromMs, untilMs } = held;
  if (held.isUnknown) return { rows: [], scan: { fromMs: held.archivedUntilMs, events: 0 } };
  const slices = (spans ?? [held])
    .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), untilMs: Math.min(span.untilMs, untilMs) }))
    .flatMap((span) => [...slicesOf(span, 'desc')]);
  const rows: ArchivedRow[] = [];
  for (const slice of slices) {
    const asked = {
      conditions: held.where().within(slice),
      order: 'desc' as const,
      cursor: null,
      limit: MAX_COUNTED - rows.length + 1,
      omitPayload,
      maxBytes: MAX_BYTES,
    };
    const read = await listArchivedRows(reading.archive, asked, limits()).catch(nullIfSlow);
    if (read === null) return { rows, scan: { fromMs: slice.untilMs, events: rows.length } };
    for (const row of read.rows) rows.push(row);
    const last = rows.at(-1);
    if (read.hasMore && last) {
      const edgeMs = timeOf(last);
      const whole = rows.filter((row) => timeOf(row) > edgeMs);
      return { rows: whole, scan: { fromMs: edgeMs + 1, events: whole.length } };
    }
  }
  return { rows, scan: null };
}

function timeOf({ id }: ArchivedRow): number {
  return uuidTime(withHyphens(id));
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
