import type { CreateMutation, UpdateMutation } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { sentenceOf } from '../../incidents/stored-evidence.ts';
import { releaseSentence } from '../../incidents/wording.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { ReleaseQuestion } from '../releases/find-release-share.ts';
import type { ChangeContext } from './change-context.ts';
import type { IncidentPlan } from './plan-incidents.ts';

/** Maximum age of an incident whose evidence changes; after that its page still compares releases. */
const MAX_AGE_MS = HOUR_MS;

/**
 * Decides if the releases of an ongoing incident must be compared again: they said nothing so far, and its events
 * have doubled since. So comparisons are few, and each has much more data.
 */
export function releaseQuestion(row: IncidentRow, plan: IncidentPlan, nowMs: number): ReleaseQuestion | null {
  const { organizationId, projectId, evidence, eventCount, createdAt, status } = row;
  if (!evidence || evidence.release || plan.kind !== 'alarms' || status === 'resolved') return null;
  if (nowMs - createdAt.getTime() > MAX_AGE_MS) return null;
  if (eventCount + plan.furtherEvents < 2 * (evidence.releaseLookedAt ?? 1)) return null;
  const { series, rule, from } = evidence;
  return { organizationId, projectId, series, rule, fromMs: Date.parse(from), nowMs };
}

/** A change with the comparison of releases, in its evidence and in the timeline entry that has its sentence. */
export function sayRelease<M extends CreateMutation | UpdateMutation>(
  mutation: M,
  release: ChangeContext['release'],
): M {
  const { evidence, eventCount } = mutation.incident;
  if (!release || !evidence) return mutation;
  const { share } = release;
  const said = { ...evidence, release: share, releaseLookedAt: eventCount };
  const incident = { ...mutation.incident, evidence: said };
  if (!share) return { ...mutation, incident };
  const hasSentence = mutation.entries.some(({ note }) => note === evidence.sentence);
  const entries = hasSentence
    ? mutation.entries.map((entry) =>
        entry.note === evidence.sentence ? { ...entry, note: sentenceOf(said) } : entry,
      )
    : [...mutation.entries, { userId: null, before: null, after: null, note: releaseSentence(share) }];
  return { ...mutation, incident, entries };
}
