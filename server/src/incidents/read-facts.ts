import type { Queryable } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { MAX_KNOWN_USERS } from '../groups/limits.ts';
import { toId, uuidTime } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { isoTime, minuteOf } from '../platform/time.ts';
import { findFirstMinute, findLeadFacts, findUsersSince } from './facts-queries.ts';
import { countedEventsOf, type LeadEvents } from './lead.ts';
import type { IncidentRow } from './rows.ts';
import type { Facts } from './schema.ts';

/** Maximum wait of an answer: if the database is slower, the answer has no facts. */
const MAX_WAIT_MS = 1_000;

const NO_FACTS: Facts = { users: { count: 0, isExact: true }, newestEvent: null, eventsKeptFrom: null };

/** Reads the facts of an incident's events. @returns null if they are not known in time */
export type ReadFacts = (incident: IncidentRow) => Promise<Facts | null>;

export function createFactsReader({ reads, log }: { reads: ExpensiveReads; log: Log }): ReadFacts {
  return async (incident) => {
    const { organizationId } = incident;
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    const read = { organizationId, signal, subject: 'what the events of an incident say' };
    try {
      return await reads.run(read, (database) => readFacts(database, incident));
    } catch (error) {
      log.warn({ err: error }, 'what the events of an incident say could not be read');
      return null;
    }
  };
}

/** Reads the facts of the events that an incident counts. */
export async function readFacts(database: Queryable, incident: IncidentRow): Promise<Facts> {
  const counted = countedEventsOf(incident);
  if (!counted) return NO_FACTS;
  const { organizationId, projectId, eventCount } = incident;
  const found = await findLeadFacts(database, organizationId, counted);
  const firstMinute = eventCount > 0 ? await findFirstMinute(database, organizationId, projectId) : null;
  const isCut = firstMinute !== null && firstMinute.getTime() > minuteOf(counted.fromMs);
  return {
    users: await countUsers(database, incident, counted, {
      ...found,
      isComplete: found.isComplete && !isCut,
    }),
    newestEvent:
      found.newestId === null
        ? null
        : {
            id: toId('evt', found.newestId),
            message: found.newestMessage ?? '',
            at: isoTime(uuidTime(found.newestId)),
          },
    eventsKeptFrom: isCut ? isoTime(firstMinute) : null,
  };
}

/** Counts the users of the events that were read, or, if these are not all, those that groups keep. */
async function countUsers(
  database: Queryable,
  { organizationId, evidence, resolvedAt }: IncidentRow,
  { groupId, fromMs }: LeadEvents,
  { users, isComplete }: { users: number; isComplete: boolean },
): Promise<Facts['users']> {
  if (isComplete) return { count: users, isExact: true };
  const mainId = groupId ?? evidence?.lead?.main?.groupId ?? null;
  const since = new Date(fromMs);
  const kept = mainId === null ? null : await findUsersSince(database, organizationId, mainId, since);
  // Users of later times are among them.
  if (kept === null || resolvedAt) return { count: users, isExact: false };
  const isExact = groupId !== null && kept <= MAX_KNOWN_USERS;
  return { count: Math.max(users, Math.min(kept, MAX_KNOWN_USERS)), isExact };
}
