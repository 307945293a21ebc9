import type { Queryable } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import { countedEventsOf, type LeadEvents } from '../../incidents/lead.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { MainGroup, StoredLead } from '../../incidents/stored-evidence.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf, NO_END_MS } from '../../platform/time.ts';
import { listLeadMinutes } from './lead-queries.ts';

/** Older minutes are counted once: a count then reads few of them, however long the incident lasts. */
const RECENT_MS = 2 * HOUR_MS;
const MIN_ADVANCE_MS = HOUR_MS;

/** Number of a lead's events, and the time up to which the count is final. */
export interface LeadCount {
  eventCount: number;
  lead: StoredLead;
}

/** Counts the lead of an incident again; null if it counts nothing. */
export async function countIncident(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  nowMs: number,
): Promise<LeadCount | null> {
  const counted = countedEventsOf(incident);
  const lead = incident.evidence?.lead;
  return counted && lead ? countLead(database, organizationId, { counted, lead }, nowMs) : null;
}

/**
 * Counts the events of a lead that is new, or whose group was merged with others or separated from them.
 * @param main group with most of its events
 */
export async function countFromBeginning(
  database: Queryable,
  organizationId: string,
  { counted, main }: { counted: LeadEvents; main: MainGroup | null },
  nowMs: number,
): Promise<LeadCount> {
  const { groupId, fromMs } = counted;
  const part = { fromMs: minuteOf(fromMs), toMs: fromMs };
  const before = await eventsOn(database).countOfLead(organizationId, counted, part);
  const lead = { ...emptyLead(groupId, fromMs), before, main };
  return countLead(database, organizationId, { counted, lead }, nowMs);
}

/** Lead of which nothing is counted. */
export function emptyLead(groupId: string | null, sinceMs: number): StoredLead {
  return {
    groupId,
    since: isoTime(sinceMs),
    before: 0,
    through: isoTime(minuteOf(sinceMs)),
    events: 0,
    main: null,
  };
}

/**
 * Counts the events of a lead, each once. Late events are found by the counts from the beginning on, which run once
 * the incident is over and as time passes; events that retention has removed meanwhile stay counted.
 */
async function countLead(
  database: Queryable,
  organizationId: string,
  { counted, lead }: { counted: LeadEvents; lead: StoredLead },
  nowMs: number,
): Promise<LeadCount> {
  const sinceMs = Date.parse(lead.since);
  const fromMs = minuteOf(sinceMs);
  const endMs = counted.untilMs === null ? NO_END_MS : minuteOf(counted.untilMs);
  const recentMs = Math.max(fromMs, minuteOf(Math.min(counted.untilMs ?? nowMs, nowMs) - RECENT_MS));
  const throughMs = Date.parse(lead.through);
  const isAdvancing = recentMs - throughMs >= MIN_ADVANCE_MS;
  const isWhole = isAdvancing || counted.untilMs !== null;
  const range = { fromMs: isWhole ? fromMs : throughMs, toMs: endMs };
  const minutes = await listLeadMinutes(database, organizationId, counted, range);
  const sum = (isIn: (minuteMs: number) => boolean) =>
    minutes.reduce((events, each) => events + (isIn(each.minuteMs) ? each.events : 0), 0);
  const recount = (untilMs: number) => {
    const later = lead.events + sum((minuteMs) => minuteMs >= throughMs && minuteMs < untilMs);
    return isWhole
      ? Math.max(
          later,
          sum((minuteMs) => minuteMs < untilMs),
        )
      : later;
  };
  const partial =
    counted.untilMs === null
      ? 0
      : await eventsOn(database).countOfLead(organizationId, counted, {
          fromMs: endMs,
          toMs: counted.untilMs + 1,
        });
  const eventCount = Math.max(0, recount(NO_END_MS) + partial - lead.before);
  if (!isAdvancing) return { eventCount, lead };
  return { eventCount, lead: { ...lead, through: isoTime(recentMs), events: recount(recentMs) } };
}
