import type { Queryable } from '../database/database.ts';
import { eventsOn } from '../events/read/events-on.ts';
import { isoTime } from '../platform/time.ts';
import type { SubjectChange } from './decide-delivery.ts';
import { matchesFields, matchesSilence, needsEvents, type SilenceSubject } from './matches-silence.ts';
import {
  type ActiveSilence,
  insertMatches,
  listActiveSilences,
  listSubjectFacts,
  type SubjectFacts,
} from './silence-queries.ts';

/** Maximum subjects whose events are read at once; further ones are sent rather than missed. */
const MAX_READ_SUBJECTS = 100;

type Subject = Pick<SubjectChange, 'organizationId' | 'projectId' | 'subjectId' | 'severity'>;

/** Silences that cover subjects, by the UUIDs of these, and the new ones among them. */
export interface SubjectSilences {
  bySubject: ReadonlyMap<string, readonly ActiveSilence[]>;
  /** Silences that cover a subject for the first time. */
  added: { subjectId: string; silence: ActiveSilence }[];
}

const NONE: SubjectSilences = { bySubject: new Map(), added: [] };

/**
 * The silences that cover incidents and groups at a time, by the database's current state: nothing is cached. Their
 * coverage is recorded.
 */
export async function findSilences(
  transaction: Queryable,
  subjects: readonly Subject[],
  at: Date,
): Promise<SubjectSilences> {
  if (subjects.length === 0) return NONE;
  const organizationIds = [...new Set(subjects.map(({ organizationId }) => organizationId))];
  const projectIds = [...new Set(subjects.map(({ projectId }) => projectId))];
  const silences = await listActiveSilences(transaction, organizationIds, projectIds, at);
  if (silences.length === 0) return NONE;
  const bySubject = await matchSubjects(transaction, subjects, silences);
  const byId = new Map(silences.map((silence) => [silence.id, silence]));
  const matches = subjects.flatMap(({ subjectId, projectId }) =>
    (bySubject.get(subjectId) ?? []).map(({ id }) => ({ silenceId: id, subjectId, projectId })),
  );
  if (matches.length === 0) return NONE;
  const added = (await insertMatches(transaction, matches, at)).flatMap(({ subjectId, silenceId }) => {
    const silence = byId.get(silenceId);
    return silence ? [{ subjectId, silence }] : [];
  });
  return { bySubject, added };
}

/**
 * The silences among these that match each subject, by its UUID. Pages and new silences ask as alarms do, by the same events, so that
 * they tell what is sent.
 */
export async function matchSubjects<Silence extends Omit<ActiveSilence, 'until' | 'reason' | 'byName'>>(
  database: Queryable,
  subjects: readonly Subject[],
  silences: readonly Silence[],
): Promise<Map<string, Silence[]>> {
  const organizationIds = [...new Set(subjects.map(({ organizationId }) => organizationId))];
  const ids = [...new Set(subjects.map(({ subjectId }) => subjectId))];
  const facts = new Map(
    (await listSubjectFacts(database, organizationIds, ids)).map((each) => [each.id, each]),
  );
  const matched = new Map<string, Silence[]>();
  let reads = 0;
  for (const subject of subjects) {
    const known = facts.get(subject.subjectId);
    if (!known) continue;
    const candidates = silences.filter(
      (silence) =>
        silence.organizationId === subject.organizationId &&
        matchesFields(silence, toSubject(subject, known)),
    );
    const isRead = candidates.some((silence) => needsEvents(silence, known)) && reads++ < MAX_READ_SUBJECTS;
    const events = isRead
      ? await eventsOn(database).listOfSubject(subject.organizationId, subject.projectId, known)
      : [];
    const matching = candidates.filter((silence) =>
      matchesSilence(silence, { ...toSubject(subject, known), events }),
    );
    if (matching.length > 0) matched.set(subject.subjectId, matching);
  }
  return matched;
}

function toSubject(
  { projectId, severity }: Subject,
  { type, source, groupId, scheduleId }: SubjectFacts,
): SilenceSubject {
  return { projectId, severity, type, source, groupId, scheduleId, events: [] };
}

/** “Silenced by Ada until 2026-11-22 18:00 UTC: load test”, for timelines and for decisions not to send. */
export function describeSilence({
  byName,
  until,
  reason,
}: {
  byName: string | null;
  until: Date;
  reason: string | null;
}): string {
  const time = `${isoTime(until).slice(0, 16).replace('T', ' ')} UTC`;
  const why = reason === null ? '.' : `: ${reason}`;
  return `Silenced by ${byName ?? 'a former member'} until ${time}${why}`;
}
