import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { unavailable } from '../../platform/unavailable.ts';
import type { EventConditions } from '../read-types.ts';
import { ArchiveError } from './archive-error.ts';
import type { RememberedArchive } from './archive-memory.ts';
import { type ArchiveConditions, archiveWhere, type KnownValues } from './archive-where.ts';
import { findKnownValues, findMoves, MAX_LED_FINGERPRINTS } from './known-value-queries.ts';
import type { Slice } from './slices.ts';

/** Maximum time of all that one read asks of the archive: with the margin of its last answer less than a read may take as a whole. */
const MAX_RUN_MS = 2_500;
const RETRY_DOWN_SECONDS = 10;
const RETRY_SLOW_SECONDS = 30;

const ALL_TIME: Slice = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY };

/** Reads of one request. */
export interface ArchiveReading {
  archive: RememberedArchive;
  organizationId: string;
  signal?: AbortSignal;
}

/** Part of a range that the archive has, and what it is asked there. */
export interface ArchivedRange extends Slice {
  /** Conditions without the time, for statements of their own. */
  where: () => ArchiveConditions;
  /** Time before which events are in the archive. */
  archivedUntilMs: number;
  /** Number of moves to the archive so far. */
  moves: number;
  /** True if the archive cannot evaluate the conditions: they name too many groups. */
  isUnknown: boolean;
}

/** The part of a range, and of a span within it, that the archive may have; null: none. */
export async function findArchivedRange(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  span = ALL_TIME,
): Promise<ArchivedRange | null> {
  const { archivedUntilMs, moves, ...known } = await findKnownValues(database, organizationId, conditions);
  if (archivedUntilMs === null) return null;
  const fromMs = Math.max(span.fromMs, (conditions.afterMs ?? 0) + 1);
  const untilMs = Math.min(span.untilMs, archivedUntilMs, conditions.beforeMs ?? archivedUntilMs);
  if (fromMs >= untilMs) return null;
  return {
    fromMs,
    untilMs,
    archivedUntilMs,
    moves,
    isUnknown: isUnknown(known),
    where: () => archiveWhere(organizationId, conditions, known),
  };
}

/** The part of it that the archive has; null: none. The archive is asked only where it may have any. */
export async function findHeldRange(
  { archive }: ArchiveReading,
  range: ArchivedRange,
  limits: ReturnType<typeof limitsOf>,
): Promise<ArchivedRange | null> {
  const oldestMs = await archive.findOldestMs(range.moves, limits());
  if (oldestMs === null || oldestMs >= range.untilMs) return null;
  return { ...range, fromMs: Math.max(oldestMs, range.fromMs) };
}

function isUnknown({ ledFingerprints }: KnownValues): boolean {
  return ledFingerprints !== null && ledFingerprints.length > MAX_LED_FINGERPRINTS;
}

/** Number of attempts to read while no week moves: one moves in a moment, and the next one a week later. */
const MAX_ATTEMPTS = 3;

/** Reads again what is null, since a week moved meanwhile. */
export async function untilWhole<T>(work: () => Promise<T | null>): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const whole = await work();
    if (whole !== null) return whole;
  }
  throw unavailable('Events were moved to the archive while they were read. Try again.', {
    retryAfterSeconds: 1,
  });
}

/** Counts in both stores while no event moves from one to the other. */
export function whileAtRest<T>(database: Queryable, count: () => Promise<T>): Promise<T> {
  return untilWhole(async () => {
    const before = await findMoves(database);
    const counted = await count();
    return (await findMoves(database)) === before ? counted : null;
  });
}

/** Returns the limits of the next statement of a read: the time that is left for all of them. */
export function limitsOf({ signal }: ArchiveReading) {
  const startMs = performance.now();
  return () => ({
    maxRunMs: Math.max(1, MAX_RUN_MS - (performance.now() - startMs)),
    ...(signal && { signal }),
  });
}

/** Returns null for an error of an archive that needs longer than it may take. */
export function nullIfSlow(error: unknown): null {
  if (error instanceof ArchiveError && error.isSlow) return null;
  throw error;
}

/** @throws ApiError `unavailable` with the time before which events come from the archive, for an error of it */
export async function orUnavailable<T>(archivedUntilMs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const before = isoTime(archivedUntilMs).slice(0, 10);
    if (error.isSlow)
      throw unavailable(
        `Events before ${before} come from the archive, where this takes too long. Choose a shorter time range, or add a filter.`,
        { retryAfterSeconds: RETRY_SLOW_SECONDS, cause: error },
      );
    throw unavailable(`Events before ${before} come from the archive, which does not answer.`, {
      retryAfterSeconds: RETRY_DOWN_SECONDS,
      cause: error,
    });
  }
}
