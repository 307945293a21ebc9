import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { sumFailedPayments } from '../../events/failed-payments.ts';
import type { LeadFacts } from '../../events/read-types.ts';
import type { EventReader, EventReads } from '../../events/reader.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toId, uuidTime } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { countedEventsOf, type LeadEvents } from '../lead.ts';
import type { IncidentRow } from '../rows.ts';
import type { Facts } from '../schema.ts';
import { findExpiredUntil } from './facts-queries.ts';
import { countLeadUsers, listLeadGroups } from './lead-users.ts';

/** Maximum wait of an answer: if the database is slower, the answer has no facts. */
const MAX_WAIT_MS = 1_000;

/** Maximum failed payments that are added up. */
const MAX_PAYMENTS = 100_000;

const NO_FACTS: Facts = {
  users: { count: 0, isExact: true },
  newestEvent: null,
  failedPayments: null,
  eventsKeptFrom: null,
};

/** Reads the facts of an incident's events. @returns null if they are not known in time */
export type ReadFacts = (incident: IncidentRow) => Promise<Facts | null>;

export function createFactsReader({
  reads,
  events,
  log,
  waitFactor,
}: {
  reads: ExpensiveReads;
  events: Pick<EventReader, 'on'>;
  log: Log;
  waitFactor: number;
}): ReadFacts {
  return async (incident) => {
    const { organizationId } = incident;
    const signal = AbortSignal.timeout(MAX_WAIT_MS * waitFactor);
    const read = { organizationId, signal, subject: 'what the events of an incident say' };
    try {
      return await reads.run(read, (database) => readFacts(events.on(database), incident));
    } catch (error) {
      log.warn({ err: error }, 'what the events of an incident say could not be read');
      return null;
    }
  };
}

/** Reads the facts of the events that an incident counts. */
export async function readFacts(events: EventReads, incident: IncidentRow): Promise<Facts> {
  const counted = countedEventsOf(incident);
  if (!counted) return NO_FACTS;
  const { organizationId, updatedAt } = incident;
  const facts = await findKeptFacts(events, incident, counted);
  const { newestId, newestMessage, keptFrom } = facts;
  return {
    users: await countLeadUsers(events.database, organizationId, facts, () =>
      listLeadGroups(events, organizationId, counted, updatedAt),
    ),
    newestEvent:
      newestId === null
        ? null
        : { id: toId('evt', newestId), message: newestMessage ?? '', at: isoTime(uuidTime(newestId)) },
    failedPayments: await sumFailedPayments(
      events,
      organizationId,
      { ...counted, maxRead: MAX_PAYMENTS },
      keptFrom,
    ),
    eventsKeptFrom: keptFrom && isoTime(keptFrom),
  };
}

/** Finds the facts of a lead's events; they are incomplete as well where retention has removed events. */
export async function findKeptFacts(
  events: EventReads,
  incident: IncidentRow,
  counted: LeadEvents,
): Promise<LeadFacts & { keptFrom: Date | null }> {
  const facts = await events.findLeadFacts(incident.organizationId, counted);
  const keptFrom = incident.eventCount > 0 ? await findKeptFrom(events, incident, counted) : null;
  return { ...facts, isComplete: facts.isComplete && keptFrom === null, keptFrom };
}

/** @returns the time from which on the events of a lead are kept; null: retention has removed none */
async function findKeptFrom(
  events: EventReads,
  { organizationId, projectId, updatedAt }: IncidentRow,
  counted: LeadEvents,
): Promise<Date | null> {
  const { fromMs, untilMs } = counted;
  // A project without events has lost all of them.
  const firstMinute = await events.findFirstMinute(organizationId, projectId);
  const firstMs = firstMinute?.getTime() ?? minuteOf(untilMs ?? updatedAt.getTime()) + MINUTE_MS;
  const expiredUntil = await findExpiredUntil(events.database, organizationId, counted);
  const keptFromMs = Math.max(firstMs, expiredUntil?.getTime() ?? 0);
  return keptFromMs > minuteOf(fromMs) ? new Date(keptFromMs) : null;
}
