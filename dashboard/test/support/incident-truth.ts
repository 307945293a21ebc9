import type { StoredEvent } from '../../../server/test/risk/project-life.ts';
import { IS } from '../../../server/test/risk/shop-events.ts';
import type { Evidence } from '../../src/lib/api-types.ts';
import type { Lead, Project } from './incident-lives.ts';

type AttachedSeries = Evidence['alsoSeries'][number];

export const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 5;
const TREND_MINUTES = 10;

export const minuteOf = (timeMs: number) => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
export const usersOf = (events: StoredEvent[]) => new Set(events.flatMap(({ user }) => user ?? [])).size;
export const countByMinute = (events: readonly { atMs: number }[]) => {
  const counts = new Map<number, number>();
  for (const { atMs } of events) counts.set(minuteOf(atMs), (counts.get(minuteOf(atMs)) ?? 0) + 1);
  return counts;
};
const countFrom = (events: StoredEvent[], fromMs: number, toMs = Number.MAX_SAFE_INTEGER) =>
  events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;

/** Numbers of an incident, counted by the test from the stored events of its project. */
export interface Truth {
  /** Counted events, newest first; none where events are missing. */
  events: StoredEvent[];
  sinceMs: number;
  perMinute: number;
  /** Minute with the most events; of what is missing, the fewest. */
  peak: { perMinute: number; atMs: number };
  trend: 'rising' | 'steady' | 'falling';
  /** Percentage of the source's events, or of payments; null: no event is in the window. */
  share: number | null;
}

/** @param untilMs end of the incident; null: it goes on */
export async function countTruth(
  project: Project,
  lead: Lead,
  { nowMs, untilMs }: { nowMs: number; untilMs: number | null },
): Promise<Truth> {
  const all = await project.stored(lead.clause, 0, untilMs ?? nowMs);
  const isAbsence = lead.kind === 'drop' || lead.kind === 'silence';
  const sinceMs = isAbsence ? beginningOfAbsence(lead, all) : beginningOf(lead, all, nowMs);
  // A silence begins after the last event of a minute.
  const firstMs = minuteOf(sinceMs) + (lead.kind === 'silence' ? MINUTE_MS : 0);
  const minutes = Array.from({ length: (minuteOf(nowMs) - firstMs) / MINUTE_MS + 1 }, (_, index) => {
    const atMs = firstMs + index * MINUTE_MS;
    return { atMs, perMinute: countFrom(all, atMs, atMs + MINUTE_MS) };
  });
  // The current minute has not received all of its events.
  const [first, ...others] = isAbsence ? minutes.slice(0, -1) : minutes;
  if (!first) throw new Error('The incident begins before now.');
  const fromMs = Math.max(minuteOf(nowMs) - (WINDOW_MINUTES - 1) * MINUTE_MS, firstMs);
  const observed = countFrom(all, fromMs);
  const whole = countFrom(await project.stored(lead.whole, 0, nowMs), fromMs);
  return {
    events: isAbsence ? [] : all,
    sinceMs,
    perMinute: (observed * MINUTE_MS) / Math.max(MINUTE_MS, nowMs - fromMs),
    peak: others.reduce((most, minute) => {
      const isMore = isAbsence ? minute.perMinute < most.perMinute : minute.perMinute > most.perMinute;
      return isMore ? minute : most;
    }, first),
    trend: trendOf(all, firstMs, fromMs, nowMs),
    share: whole === 0 ? null : (100 * observed) / whole,
  };
}

/** Counts the events of an attached series: when it joined, and now, since it began to be unusual. */
export async function countAttached(project: Project, attached: AttachedSeries, nowMs: number) {
  const { rule, from, at, windowSeconds } = attached;
  const events = await project.stored(clauseOf(attached), 0, nowMs);
  const foundMs = Date.parse(from);
  const begunMs = minuteOf(foundMs) + (rule === 'silence' ? MINUTE_MS : 0);
  const fromMs = Math.max(
    minuteOf(nowMs) - (WINDOW_MINUTES - 1) * MINUTE_MS,
    Math.min(begunMs, minuteOf(nowMs)),
  );
  return {
    observed: countFrom(events, foundMs, Math.min(foundMs + windowSeconds * 1_000, Date.parse(at) + 1)),
    perMinute: (countFrom(events, fromMs) * MINUTE_MS) / Math.max(MINUTE_MS, nowMs - fromMs),
    trend: trendOf(events, begunMs, fromMs, nowMs),
  };
}

function clauseOf({ kind, type, severity, source }: AttachedSeries): string {
  if (kind === 'total') return 'true';
  if (kind === 'errors') return `severity >= 'error'`;
  if (kind === 'failed_payments') return IS.failures;
  return `type = '${type}' AND severity = '${severity}' AND source = '${source}'`;
}

/** The first event of a group, else its minute: each lead here has no events before its trouble. Before it, the present. */
function beginningOf({ kind }: Lead, events: StoredEvent[], nowMs: number): number {
  const firstMs = events.at(-1)?.atMs ?? nowMs;
  return kind === 'group' ? firstMs : minuteOf(firstMs);
}

/** Just after the last event; of a drop, the first minute with less than half of the usual events. */
function beginningOfAbsence({ kind, usual }: Lead, events: StoredEvent[]): number {
  const lastMs = events[0]?.atMs ?? 0;
  if (kind === 'silence') return lastMs + 1;
  let minuteMs = minuteOf(lastMs);
  while (countFrom(events, minuteMs - MINUTE_MS, minuteMs) < usual / 2) minuteMs -= MINUTE_MS;
  return minuteMs;
}

/** Compares the halves of the last ten minutes, or of those since it began; in its first two minutes, with the time before. */
function trendOf(events: StoredEvent[], sinceMs: number, windowMs: number, nowMs: number): Truth['trend'] {
  const earliestMs = minuteOf(nowMs) - (TREND_MINUTES - 1) * MINUTE_MS;
  const begunMs = Math.max(earliestMs, minuteOf(sinceMs));
  const halfMs = minuteOf((begunMs + nowMs) / 2);
  const [fromMs, middleMs] = halfMs > begunMs ? [begunMs, halfMs] : [earliestMs, windowMs];
  const scale = (nowMs - middleMs) / (middleMs - fromMs);
  const before = countFrom(events, fromMs, middleMs);
  const now = countFrom(events, middleMs);
  const deviation = Math.sqrt(now + before * scale ** 2);
  const isSteady = Math.abs(now - before * scale) <= Math.max(2 * deviation, 0.2 * before * scale);
  return isSteady ? 'steady' : now > before * scale ? 'rising' : 'falling';
}
