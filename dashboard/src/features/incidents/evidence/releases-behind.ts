import type { Incident } from '../../../lib/api-types.ts';
import { DAY_MS, MINUTE_MS } from '../../../lib/durations.ts';
import { type ReleaseMark, UNREAD, useReleaseMarks } from '../../../lib/releases/release-marks.ts';

/**
 * Reads the releases of a project from a day before an incident to its end, in watched environments: those of its chart, and
 * the one before.
 */
export function useReleasesAround({ projectId, since, until }: Incident, nowMs: number): ReleaseMark[] {
  const fromMs = Date.parse(since);
  const endMs = until ? Date.parse(until) : nowMs;
  const marks = useReleaseMarks({
    project: projectId,
    search: { from: new Date(fromMs).toISOString(), to: new Date(endMs).toISOString() },
    fromMs: fromMs - DAY_MS,
    // Rounded up, so that it stays the same for a while: it is part of the query key.
    toMs: Math.ceil((endMs + MINUTE_MS) / STEP_MS) * STEP_MS,
  });
  return marks.every(({ isWatched }) => isWatched) ? marks : marks.filter(({ isWatched }) => isWatched);
}

const STEP_MS = 10 * MINUTE_MS;

/** Time of a deploy. `long before`: over a day. `later`: after the incident began. Null: not known yet. */
export type DeployBehind = { beforeMs: number; isDeploy: boolean } | 'long before' | 'later' | null;

type Mark = Pick<ReleaseMark, 'release' | 'atMs' | 'isDeploy'>;

/** Tolerance: incidents of counts begin at whole minutes, so a deploy within the first one may be older than the first event. */
const FIRST_MINUTE_MS = MINUTE_MS;

/** Returns the last release deployed in the day before an incident began; null if there is none, or if it is not known. */
export function findLastRelease<M extends Mark>(marks: readonly M[], beganMs: number): M | null {
  return marks.findLast(({ atMs }) => atMs < beganMs + FIRST_MINUTE_MS) ?? null;
}

/** @param marks oldest first */
export function findDeploy(release: string, marks: readonly Mark[], beganMs: number): DeployBehind {
  const ofRelease = marks.filter((mark) => mark.release === release);
  const deploy = ofRelease.findLast(({ atMs }) => atMs < beganMs + FIRST_MINUTE_MS);
  if (deploy) return { beforeMs: Math.max(0, beganMs - deploy.atMs), isDeploy: deploy.isDeploy };
  if (marks === UNREAD) return null;
  return ofRelease.length > 0 ? 'later' : 'long before';
}
