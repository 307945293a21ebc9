import type { Pool } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import type { RiskSettings } from '../settings/schema.ts';
import type { ReplayCost } from './preview-range.ts';
import { readPast } from './read-past.ts';
import { runPreview } from './run-preview.ts';
import type { Preview } from './schema.ts';

/** The live detector knows the week before: so must the previewed one. */
const WARM_UP_MS = 7 * DAY_MS;
const SETTLING_MS = 10_000;
/** Maximum cost of one preview. */
export const MAX_COST: ReplayCost = { steps: 3_000_000, rows: 5_000_000 };

export interface PreviewRequest {
  projectId: string;
  settings: RiskSettings;
  days: number;
  nowMs: number;
  /** Ends the work when no client waits for it any more. */
  signal: AbortSignal;
}

/**
 * The incidents that a project's past counts would have opened under some settings. The counts are read first; no
 * connection is held while they are evaluated, in a thread of their own.
 * @param run evaluates the counts; by default in that thread
 */
export async function previewIncidents(
  pool: Pool,
  organizationId: string,
  { projectId, settings, days, nowMs, signal }: PreviewRequest,
  run: typeof runPreview = runPreview,
): Promise<Preview> {
  // The current minute would look like a drop, and so would one of which some events are still queued.
  const toMs = minuteOf(nowMs - SETTLING_MS);
  const askedMs = toMs - days * DAY_MS;
  const past = { fromMs: askedMs - WARM_UP_MS, toMs };
  const counted = await readPast(pool, organizationId, projectId, { ...past, cost: MAX_COST, signal });
  const fromMs = Math.max(askedMs, counted?.beginMs ?? askedMs);
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    budget: settings.budget,
    incidents: counted ? await run({ ...counted, settings, fromMs, toMs }, signal) : [],
  };
}
