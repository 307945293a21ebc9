import { inTransaction, type Pool, type Queryable } from '../../platform/database.ts';
import { isoTime } from '../../platform/time.ts';
import { listPresence } from '../../queue/presence-queries.ts';
import { ProjectDetector } from '../detector/project-detector.ts';
import { findGaps } from '../live/passed-time.ts';
import type { Preview, RiskSettings } from '../schema.ts';
import type { TimeRange } from './past-count-queries.ts';
import { readPastCounts } from './preview-queries.ts';
import { boundBeginning } from './preview-range.ts';
import { PreviewedIncidents } from './previewed-incidents.ts';
import { replayCounts } from './replay-counts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The live detector knows the week before: so should the one that is tried. */
const WARM_UP_MS = 7 * DAY_MS;
const SETTLING_MS = 10_000;

export interface PreviewRequest {
  projectId: string;
  settings: RiskSettings;
  days: number;
  nowMs: number;
  /** Ends the work when nobody waits for it any more. */
  signal: AbortSignal;
}

/** The incidents that a project's past counts would have opened under some settings. */
export async function previewIncidents(
  pool: Pool,
  organizationId: string,
  { projectId, settings, days, nowMs, signal }: PreviewRequest,
): Promise<Preview> {
  // The minute that runs would look like a drop, and so would one of which some events are still queued.
  const toMs = Math.floor((nowMs - SETTLING_MS) / MINUTE_MS) * MINUTE_MS;
  const askedMs = toMs - days * DAY_MS;
  return inTransaction(pool, async (transaction) => {
    const past = { fromMs: askedMs - WARM_UP_MS, toMs };
    const beginMs = await boundBeginning(transaction, organizationId, projectId, past);
    const fromMs = Math.max(askedMs, beginMs ?? askedMs);
    const incidents = new PreviewedIncidents(fromMs);
    if (beginMs !== null) {
      const range = { fromMs: beginMs, toMs };
      const counts = readPastCounts(transaction, organizationId, projectId, range);
      const detector = new ProjectDetector(beginMs, settings);
      const gaps = await listGaps(transaction, range);
      await replayCounts({ detector, counts, toMs, gaps, signal, report: incidents.take });
    }
    return {
      from: isoTime(fromMs),
      to: isoTime(toMs),
      budget: settings.budget,
      incidents: incidents.newestFirst(),
    };
  });
}

/** When no process took events in, as far back as that is known: the first counts may be from before it was noted. */
async function listGaps(database: Queryable, { fromMs, toMs }: TimeRange): Promise<[number, number][]> {
  const presences = await listPresence(database, new Date(fromMs));
  const [first] = presences;
  return first ? findGaps(presences, Math.max(fromMs, first.sinceMs), toMs) : [];
}
