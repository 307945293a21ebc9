import type { Evidence, Incident, ListedEventRecord } from '../../../lib/api-types.ts';
import { DAY_MS, MINUTE_MS } from '../../../lib/durations.ts';
import { type ReleaseMark, UNREAD, useReleaseMarks } from '../../../lib/release-marks.ts';

/** The releases of a project from a day before an incident to its end: those of its chart, and the one before. */
export function useReleasesAround(
  incident: Incident,
  evidence: Evidence | null,
  nowMs: number,
): ReleaseMark[] {
  const { projectId, createdAt, resolvedAt } = incident;
  const fromMs = Date.parse(evidence?.from ?? createdAt);
  const endMs = resolvedAt ? Date.parse(resolvedAt) : nowMs;
  return useReleaseMarks({
    project: projectId,
    search: { from: new Date(fromMs).toISOString(), to: new Date(endMs).toISOString() },
    fromMs: fromMs - DAY_MS,
    // To a moment that stays for a while: it is part of the query.
    toMs: Math.ceil((endMs + MINUTE_MS) / STEP_MS) * STEP_MS,
  });
}

const STEP_MS = 10 * MINUTE_MS;

/** What the events behind an incident say of releases, and when theirs was deployed. */
export interface ReleaseBehind {
  release: string;
  /** Of the events that were looked at, 1 for all of them; null: no release stands out, and it is the last deployed. */
  share: number | null;
  events: number;
  /** There are more events than were looked at. */
  isSample: boolean;
  /** `long before`: over a day. `later`: once the incident had begun. Null: not known yet. */
  deployed: { beforeMs: number; isDeploy: boolean } | 'long before' | 'later' | null;
}

/** Windows begin at whole minutes: what was deployed within the first one may be older than its first event. */
const WINDOW_STEP_MS = MINUTE_MS;

/** A smaller share does not stand out. */
const MIN_SHARE = 0.5;

/**
 * The release that most events of an incident come from; where there is none, the last one that was deployed in the day
 * before it. Null: neither is known.
 * @param marks oldest first
 */
export function findRelease(
  events: Pick<ListedEventRecord, 'release'>[],
  isSample: boolean,
  marks: readonly Pick<ReleaseMark, 'release' | 'atMs' | 'isDeploy'>[],
  beganMs: number,
): ReleaseBehind | null {
  const counts = new Map<string, number>();
  for (const { release } of events) if (release) counts.set(release, (counts.get(release) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  const isMain = most !== undefined && most[1] >= MIN_SHARE * events.length;
  const before = marks.filter(({ atMs }) => atMs < beganMs + WINDOW_STEP_MS);
  const release = isMain ? most[0] : before.at(-1)?.release;
  if (release === undefined) return null;
  const deploy = before.findLast((mark) => mark.release === release);
  return {
    release,
    share: isMain ? most[1] / events.length : null,
    events: events.length,
    isSample,
    deployed: deploy
      ? { beforeMs: Math.max(0, beganMs - deploy.atMs), isDeploy: deploy.isDeploy }
      : marks === UNREAD
        ? null
        : marks.some((mark) => mark.release === release)
          ? 'later'
          : 'long before',
  };
}
