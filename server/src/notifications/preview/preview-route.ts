import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { SEVERITIES } from '../../events/severities.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS, WEEK_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import { isTimeZone } from '../../platform/time-zone.ts';
import { CHANNELS } from '../channels/registry.ts';
import { zoneOf } from '../delivery/describe-deferral.ts';
import type { RouteRow } from '../routing/route.ts';
import type { TargetRow } from '../targets/target.ts';
import { changesOfEntries, changesOfGroups } from './past-changes.ts';
import { listPastEntries, listPastGroups, listPastRegressions, MAX_ENTRIES } from './queries.ts';
import type { Preview } from './schema.ts';
import { type SimulatedRoute, simulateSends } from './simulate-sends.ts';

const DEFAULT_DAYS = 30;
/** Hours that count as night. */
const NIGHT = { fromHour: 22, toHour: 7 };

/** The previewed route: a stored one, or a draft. */
export type PreviewedRoute = Pick<
  RouteRow,
  'organizationId' | 'targetId' | 'projectId' | 'minSeverity' | 'changes' | 'maxPerWeek'
>;

/** @throws ApiError `validation_failed` (no such time zone), `unavailable` */
export async function previewRoute(
  { reads, clock, signal }: { reads: ExpensiveReads; clock: Clock; signal: AbortSignal },
  { route, target }: { route: PreviewedRoute; target: TargetRow },
  { days = DEFAULT_DAYS, time_zone: timeZone = 'UTC' }: { days?: number; time_zone?: string },
): Promise<Preview> {
  const localTime = createLocalTime(timeZone);
  const toMs = clock.now();
  const since = new Date(toMs - days * DAY_MS);
  const { isComplete, changes } = await readChanges({ reads, signal }, route, since);
  const simulated: SimulatedRoute = {
    rule: { ...route, id: 'previewed', isTargetEnabled: true },
    maxPerWeek: route.maxPerWeek,
    canEdit: CHANNELS[target.kind].canEdit(target.config),
    quietHours: target.quietHours,
    timeZone: zoneOf(target),
  };
  const isAtNight = (at: number) => {
    const { hour } = localTime(at);
    return hour >= NIGHT.fromHour || hour < NIGHT.toHour;
  };
  const { messagesMs, taken, ...counts } = simulateSends(simulated, changes);
  const perDay = new Map<string, number>();
  for (const at of messagesMs) {
    const { day } = localTime(at);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  return {
    from: isoTime(since),
    to: isoTime(toMs),
    messages: messagesMs.length,
    atNight: messagesMs.filter(isAtNight).length,
    ...counts,
    changes: taken,
    bySeverity: SEVERITIES.map((minSeverity) => {
      const rule = { ...simulated.rule, minSeverity };
      const sent = simulateSends({ ...simulated, rule, maxPerWeek: null }, changes).messagesMs;
      return {
        minSeverity,
        messages: sent.length,
        atNight: sent.filter(isAtNight).length,
        mostPerWeek: mostWithin(sent, WEEK_MS),
      };
    }),
    timeZone,
    isComplete,
    days: [...perDay].map(([day, messages]) => ({ day, messages })),
  };
}

async function readChanges(
  { reads, signal }: { reads: ExpensiveReads; signal: AbortSignal },
  { organizationId, projectId, changes: chosen }: PreviewedRoute,
  since: Date,
): Promise<{ isComplete: boolean; changes: SubjectChange[] }> {
  const read = { organizationId, signal, subject: 'the preview of the route' };
  return reads.run(read, async (database) => {
    const range = { projectId, since };
    const entries = await listPastEntries(database, organizationId, range);
    const begun = chosen.includes('group_new') ? await listPastGroups(database, organizationId, range) : [];
    const back = chosen.includes('group_regressed')
      ? await listPastRegressions(database, organizationId, range)
      : [];
    const all = [
      ...changesOfEntries(organizationId, entries),
      ...changesOfGroups(organizationId, 'group_new', begun),
      ...changesOfGroups(organizationId, 'group_regressed', back),
    ];
    return {
      isComplete: ![entries, begun, back].some(({ length }) => length === MAX_ENTRIES),
      changes: all.toSorted((left, right) => left.at.getTime() - right.at.getTime()),
    };
  });
}

/** Maximum number of these sorted times within any period of this length. */
function mostWithin(timesMs: readonly number[], lengthMs: number): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of timesMs.entries()) {
    while ((timesMs[first] ?? at) <= at - lengthMs) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

function createLocalTime(timeZone: string): (ms: number) => { day: string; hour: number } {
  if (!isTimeZone(timeZone)) {
    const message = 'is no time zone, such as Europe/Berlin';
    throw new ApiError('validation_failed', `query/time_zone ${message}.`, {
      fields: [{ pointer: '/time_zone', message }],
    });
  }
  // Swedish dates have the form of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (ms) => {
    const [day = '', time = ''] = format.format(ms).split(' ');
    return { day, hour: Number(time.slice(0, 2)) };
  };
}
