import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import { CHANNELS } from '../channels/registry.ts';
import type { RouteRow } from '../routing/route.ts';
import type { TargetRow } from '../targets/target.ts';
import { changesOfEntries, changesOfGroups } from './past-changes.ts';
import { listPastEntries, listPastGroups, listPastRegressions, MAX_ENTRIES } from './queries.ts';
import type { Preview } from './schema.ts';
import { simulateSends } from './simulate-sends.ts';

const DEFAULT_DAYS = 30;
/** What people mean by a night. */
const NIGHT = { fromHour: 22, toHour: 7 };

/** @throws ApiError `validation_failed` (no such time zone), `unavailable` */
export async function previewRoute(
  { reads, clock, signal }: { reads: ExpensiveReads; clock: Clock; signal: AbortSignal },
  { route, target }: { route: RouteRow; target: TargetRow },
  { days = DEFAULT_DAYS, time_zone: timeZone = 'UTC' }: { days?: number; time_zone?: string },
): Promise<Preview> {
  const localTime = createLocalTime(timeZone);
  const toMs = clock.now();
  const since = new Date(toMs - days * DAY_MS);
  const { organizationId, projectId, changes: chosen } = route;
  const read = { organizationId, signal, subject: 'the preview of the route' };
  const changes = await reads.run(read, async (database) => {
    const range = { projectId, since };
    const entries = await listPastEntries(database, organizationId, range);
    const begun = chosen.includes('group_new') ? await listPastGroups(database, organizationId, range) : [];
    const back = chosen.includes('group_regressed')
      ? await listPastRegressions(database, organizationId, range)
      : [];
    const isComplete = ![entries, begun, back].some(({ length }) => length === MAX_ENTRIES);
    const all = [
      ...changesOfEntries(organizationId, entries),
      ...changesOfGroups(organizationId, 'group_new', begun),
      ...changesOfGroups(organizationId, 'group_regressed', back),
    ];
    return { isComplete, all: all.toSorted((left, right) => left.at.getTime() - right.at.getTime()) };
  });
  const canEdit = CHANNELS[target.kind].canEdit(target.config);
  const rule = { ...route, isTargetEnabled: true };
  const { messagesMs, digests, edits, taken } = simulateSends(rule, changes.all, canEdit);
  const perDay = new Map<string, number>();
  let atNight = 0;
  for (const at of messagesMs) {
    const { day, hour } = localTime(at);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
    if (hour >= NIGHT.fromHour || hour < NIGHT.toHour) atNight++;
  }
  return {
    from: isoTime(since),
    to: isoTime(toMs),
    messages: messagesMs.length,
    atNight,
    edits,
    digests,
    changes: taken,
    timeZone,
    isComplete: changes.isComplete,
    days: [...perDay].map(([day, messages]) => ({ day, messages })),
  };
}

function createLocalTime(timeZone: string): (ms: number) => { day: string; hour: number } {
  let format: Intl.DateTimeFormat;
  try {
    // Sweden writes dates as ISO 8601 does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  } catch {
    const message = 'is no time zone, such as Europe/Berlin';
    throw new ApiError('validation_failed', `query/time_zone ${message}.`, {
      fields: [{ pointer: '/time_zone', message }],
    });
  }
  return (ms) => {
    const [day = '', time = ''] = format.format(ms).split(' ');
    return { day, hour: Number(time.slice(0, 2)) };
  };
}
